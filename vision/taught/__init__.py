"""Dice and tiles of people's own, learned from a photo or two, without training: profiles, and how the reader uses them."""
