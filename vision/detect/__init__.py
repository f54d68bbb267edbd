"""Detects pieces: where they are, not yet what they show."""
