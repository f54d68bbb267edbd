"""Reads photos in a process of its own, with limits, that can be killed: `process` runs it, `tasks` is its code.

A photo from anybody is decoded by libraries written in C. Whatever it makes them do (take minutes, take all memory, crash)
happens in that process; the server answers that the photo cannot be read, and starts a new one.
"""
