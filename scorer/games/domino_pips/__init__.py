"""Dominoes, counted: pips on the table, in a hand, or at the open ends."""
