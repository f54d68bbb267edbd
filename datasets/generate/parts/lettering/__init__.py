"""Numerals, words and signs."""
