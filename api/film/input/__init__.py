"""Sources of frames: video files, folders, webcams and streams."""
