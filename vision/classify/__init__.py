"""Classifies each detected piece: what it is, and what it shows."""
