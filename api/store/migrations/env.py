"""Run by Alembic: applies the steps within the transaction that `api.store.database.migrate` has begun."""

from alembic import context

from api.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
