"""Evidence: a game in one zip that anybody can check. Begin at `bundle` (writes it) and `verify` (checks it)."""
