"""The server as a process: its settings, its certificate, how phones find it."""
