"""What cameras do to pictures: to crops that are drawn, to scenes, to renders, and to the frames of a film."""
