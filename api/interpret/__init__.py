"""What a reading means: as a request to score, as a move of a game, or as a question to a person."""
