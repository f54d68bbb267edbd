"""What commands print: readings, worth, odds, and how far they are."""
