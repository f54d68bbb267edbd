"""The one step of the build that pyproject.toml cannot say: it starts from nothing.

Setuptools copies the packages into `build/` and packs all that is in it: also what an earlier build left, of modules,
networks and games that are gone since.
"""

from pathlib import Path
from shutil import rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """Copies the packages to where nothing is left of them."""

    def run(self) -> None:
        """Copy them."""
        if not self.editable_mode:
            for name in {package.partition(".")[0] for package in self.packages}:
                rmtree(Path(self.build_lib, name), ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
