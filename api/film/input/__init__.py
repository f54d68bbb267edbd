"""Where frames come from: a file, a folder, a webcam, a stream."""
