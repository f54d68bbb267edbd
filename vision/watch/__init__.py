"""Watches a table on video: frames in, rolls out."""
