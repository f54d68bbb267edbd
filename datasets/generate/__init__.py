"""Makes training pictures: drawn, rendered, composited and filmed."""
