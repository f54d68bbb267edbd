"""The server process: settings, certificate, and links for phones."""
