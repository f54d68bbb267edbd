"""What lies on a table as plain values: dice, tiles, cards, and the melds that they make."""
