"""The HTTP service: begin at `app`."""
