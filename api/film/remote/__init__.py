"""A camera that plays in a game on a running server."""
