"""Parts of Muggins that are installed only where they are wanted: the extras of pyproject.toml."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS: dict[str, tuple[str, ...]] = {
    "cluster": ("distributed",),
    "parquet": ("pyarrow",),
    "postgres": ("psycopg",),
    "s3": ("fsspec", "s3fs"),
}
"""The modules that each extra brings; those without which something cannot be done."""


class MissingExtra(Exception):  # noqa: N818 - it says what is missing
    """What was asked for needs an extra that is not installed; the message says how to get it."""


def require(extra: str, what: str) -> None:
    """Make sure that an extra is installed.

    Args:
        extra: its name in pyproject.toml.
        what: wants it, as the subject of a sentence.

    Raises:
        MissingExtra: it is not installed.
    """
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtra(
            f"{what} needs the extra '{extra}': {' and '.join(missing)} {verb} not installed."
            f" Install it with: pip install 'muggins[{extra}]'"
        )
