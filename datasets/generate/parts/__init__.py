"""What the generators share: faces, bodies, print, paint and lettering."""
