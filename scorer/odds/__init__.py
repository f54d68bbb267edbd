"""Exact chances and best play: the distribution of hand scores, the worth of a turn, the best decision."""
