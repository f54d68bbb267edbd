"""Hands of playing cards, counted."""
