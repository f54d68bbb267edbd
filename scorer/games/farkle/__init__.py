"""Farkle as most tables play it: six dice, and 10,000 points to win."""
