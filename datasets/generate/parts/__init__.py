"""Parts shared by the generators: faces, solids, print, paint and lettering."""
