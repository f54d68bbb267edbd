"""What happens on the table of a clip."""
