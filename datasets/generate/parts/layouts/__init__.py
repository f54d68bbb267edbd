"""Layouts of dominoes on a table."""
