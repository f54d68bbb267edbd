"""The steps, named by their place and what they make."""
