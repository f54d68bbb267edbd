"""Watches a filmed table: frames in, rolls out."""
