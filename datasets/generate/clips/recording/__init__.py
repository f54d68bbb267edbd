"""How a clip is filmed, labelled and written."""
