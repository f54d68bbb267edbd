"""Muggins, also called All Fives: dominoes whose open ends score when they add up to a multiple of five."""
