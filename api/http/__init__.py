"""The HTTP service. Begin at `app`."""
