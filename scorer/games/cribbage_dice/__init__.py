"""Cribbage Dice, whole: what a throw or hand is worth, and the game around it."""
