"""A game in the terminal: played, drawn as text, and played back."""
