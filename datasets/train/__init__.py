"""Trains the networks."""
