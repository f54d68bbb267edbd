"""Makes the training pictures, trains the networks and measures them. Nothing at run time imports this room."""
