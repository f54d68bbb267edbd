"""The room with the side effects: the command line, the HTTP service and its pages."""
