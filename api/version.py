"""The installed version of muggins."""

from importlib.metadata import version

VERSION = version("muggins")
