"""Photo bytes in, a `Reading` out. This room knows nothing of games."""
