"""Dice modelled by other people: the meshes and pictures of "dice-themes" (3d-dice, Frank Ali; MIT licence).

`npm pack @3d-dice/dice-themes` fetches them; they are not part of the project. A theme is a folder with
`theme.config.json`, its pictures, and a mesh file as exported by Babylon.js. For each die the file has the mesh to render,
and a simpler one, the collider, with the value of each of its triangles, which gives the direction of each side.

Babylon's axes are left-handed with y up, Blender's right-handed with z up: y and z are swapped.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BODIES = ("d4", "d6", "d8", "d10", "d12", "d20", "d100", "pip")
"""The supported dice; a `pip` is a d6 with pips, a `d6` one with numerals, and a `d100` a d10 with tens."""
_USUAL = "default.json"
"""The default mesh file of a theme."""
_AGREE = 0.6
"""Least cosine between a collider triangle's normal and its side's mean direction; crystal-shaped dice fail this."""


class DiceModelsError(ValueError):
    """A folder has no usable dice; the message says why."""


@dataclass(frozen=True)
class DieModel:
    """A die: its mesh, and the direction of each of its sides.

    `vertices`: n x 3, around the centre, z up. `triangles`: m x 3, wound to face outwards. `uv`: n x 2, 0..1, from the
    left and from below. `sides`: the outward unit vector by value.
    """

    body: str
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    uv: NDArray[np.float64]
    sides: dict[int, NDArray[np.float64]]

    @property
    def reach(self) -> float:
        """The distance of its farthest corner from the centre."""
        return float(np.linalg.norm(self.vertices, axis=1).max())

    def turned_up(self, value: int) -> NDArray[np.float64]:
        """The direction that is up when it shows this value: that of the side, and for a d4, which rests on it, the opposite."""
        return -self.sides[value] if self.body == "d4" else self.sides[value]

    def face(self, value: int) -> NDArray[np.bool_]:
        """Which vertices belong to a side."""
        height = self.vertices @ self.sides[value]
        return np.asarray(height > height.max() - 0.05 * self.reach)


@dataclass(frozen=True)
class Theme:
    """A look, and the dice that have it."""

    folder: Path
    material: dict[str, Any]
    meshes: dict[str, DieModel]

    def picture(self, name: str) -> Path | None:
        """The file of one of its pictures ("bumpTexture"), if it has that one in a single variant."""
        file = self.material.get(name)
        return (self.folder / file).resolve() if isinstance(file, str) else None

    @cached_property
    def inks(self) -> dict[str, Path] | None:
        """For a theme whose dice may have any colour: the pictures of their print, a "light" and a "dark" one."""
        files = self.material.get("diffuseTexture")
        return {shade: self.folder / file for shade, file in files.items()} if isinstance(files, dict) else None


def themes_in(folder: Path) -> list[Theme]:
    """Every theme with usable dice, by name.

    Raises:
        DiceModelsError: there is none, or a file is damaged.
    """
    found = []
    for config in sorted(folder.rglob("theme.config.json")):
        told = _read(config)
        mesh_file = config.parent / str(told.get("meshFile", _USUAL))
        if not mesh_file.is_file():  # another theme's, by its name
            mesh_file = next(iter(sorted(folder.rglob(mesh_file.name))), mesh_file)
        dice = _dice_of(mesh_file) if mesh_file.is_file() else {}
        if dice and isinstance(told.get("material"), dict):
            found.append(Theme(config.parent, told["material"], dice))
    if not found:
        raise DiceModelsError(f"no dice in {folder}: unpack what `npm pack @3d-dice/dice-themes` fetches there")
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DiceModelsError(f"cannot read {file}: {error}") from error
    if not isinstance(told, dict):
        raise DiceModelsError(f"cannot read {file}: it holds no JSON object")
    return told


def _dice_of(file: Path) -> dict[str, DieModel]:
    told = _read(file)
    try:
        meshes = {mesh["name"]: mesh for mesh in told["meshes"]}
        values = told["colliderFaceMap"]
        dice = [
            _die(body, meshes[body], meshes[f"{body}_collider"], values[body])
            for body in BODIES
            if body in meshes and body in values and f"{body}_collider" in meshes
        ]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DiceModelsError(f"{file} is no mesh file of dice-themes: {error!r}") from error
    return {die.body: die for die in dice if die is not None}


def _die(body: str, mesh: dict[str, Any], collider: dict[str, Any], values: dict[str, int]) -> DieModel | None:
    """A die; None if the directions of its sides are ambiguous."""
    vertices = _points(mesh)
    triangles = np.asarray(mesh["indices"], np.int64).reshape(-1, 3)
    inwards = (_normals(vertices, triangles) * (vertices[triangles].mean(1) - vertices.mean(0))).sum(1) < 0
    triangles[inwards] = triangles[inwards][:, ::-1]
    corners = _points(collider)
    faces = np.asarray(collider["indices"], np.int64).reshape(-1, 3)
    normals = _normals(corners, faces)
    normals *= np.sign((normals * corners[faces].mean(1)).sum(1, keepdims=True))
    sides = {}
    for value in sorted(set(values.values())):
        own = normals[[int(triangle) for triangle, shown in values.items() if shown == value]]
        mean = own.mean(0) / max(1e-9, float(np.linalg.norm(own.mean(0))))
        if (own @ mean).min() < _AGREE:
            return None
        sides[int(value)] = mean
    return DieModel(body, vertices, triangles, np.asarray(mesh["uvs"], float).reshape(-1, 2), sides)


def _points(mesh: dict[str, Any]) -> NDArray[np.float64]:
    points = np.asarray(mesh["positions"], float).reshape(-1, 3) * np.asarray(mesh.get("scaling") or (1, 1, 1), float)
    return np.asarray(points[:, [0, 2, 1]])


def _normals(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> NDArray[np.float64]:
    a, b, c = points[triangles].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    return np.asarray(normals / np.maximum(1e-12, np.linalg.norm(normals, axis=1, keepdims=True)))
