"""Simulates cameras: for drawn crops, for scenes, for renders, and for the frames of a film."""
