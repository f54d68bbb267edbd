"""Photo bytes in, a `Reading` out. This package knows nothing of games."""
