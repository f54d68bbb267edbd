"""Finds pieces: where they lie, not yet what they show."""
