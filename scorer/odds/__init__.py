"""Exact chances and best play: how hands are spread, what a turn is worth, which decision is best."""
