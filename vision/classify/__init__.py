"""Says what each piece that was found is and shows."""
