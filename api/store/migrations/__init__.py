"""Migrations of the tables, step by step; a released step is never changed, a new one follows it.

A step is a file in `versions`, written by hand: tests check that all of them together make the tables of `api.store.tables`,
on SQLite and on PostgreSQL.
"""
