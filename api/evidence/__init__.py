"""Evidence: a game in one zip that anyone can verify. Begin at `bundle` (writes it) and `verify` (checks it)."""
