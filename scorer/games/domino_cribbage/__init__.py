"""Domino Cribbage: the worth of a hand, and the complete game."""
