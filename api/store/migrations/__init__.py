"""How the tables came to be, step by step; a step that was released is never changed, a new one follows it.

A step is a file in `versions`, written by hand: the tests say whether all of them together make what `api.store.tables`
says, on SQLite and on PostgreSQL.
"""
