"""People's own dice and tiles, learned from a photo or two without training networks: profiles, and how the reader uses them."""
