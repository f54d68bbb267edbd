"""Short films of tables where dice are thrown, with the truth beside them (the `render` extra; Blender's physics)."""
