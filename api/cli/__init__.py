"""The command line: a file per command; `main` puts them together."""
