"""Output of the commands: readings, worth, odds and progress."""
