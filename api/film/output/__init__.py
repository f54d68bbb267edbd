"""Outputs of a film: annotated video, overlay, subtitles, chapters."""
