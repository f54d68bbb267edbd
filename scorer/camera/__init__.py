"""From what a camera saw to moves: the referee for one photo, the follower for a whole game."""
