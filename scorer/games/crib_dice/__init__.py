"""Crib Dice: the worth of a throw, and the complete game."""
