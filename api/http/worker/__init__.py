"""Photos are read in a process of their own, which has limits and can be killed: `process` runs it, `tasks` is what it does.

A photo from anybody is decoded by libraries written in C. Whatever it makes them do (take minutes, take all memory, crash)
happens in that process; the server answers that the photo cannot be read, and starts another one.
"""
