"""Games in the terminal: playing, drawing as text, playing back."""
