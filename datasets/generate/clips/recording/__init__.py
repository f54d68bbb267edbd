"""Films, labels and writes a clip."""
