"""Feeds rolls into a live game on a running server."""
