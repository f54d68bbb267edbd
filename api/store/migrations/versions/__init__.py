"""The steps, named by their number and what they create."""
