"""The checks of an evidence zip, a module for each part of it. `api.evidence.verify` makes them in order."""
