"""What a film becomes: videos, subtitles, chapters."""
