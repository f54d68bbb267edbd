"""Interprets a reading in its game: as something to score, a move, or a question to a person."""
