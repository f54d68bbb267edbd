"""How dominoes lie on a table."""
