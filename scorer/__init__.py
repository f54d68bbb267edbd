"""What a throw or hand is worth. Pure: this room knows nothing of pixels, HTTP or disks."""
