"""Short films of tables where dice are thrown, with ground truth (the `render` extra; Blender's physics)."""
