"""Files on disk: photos to read, records, pictures and keys. Existing files are never overwritten."""
