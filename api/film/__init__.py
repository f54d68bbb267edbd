"""Films of a table: frames in; rolls, a game record and annotated videos out. Begin at `pipeline`."""
