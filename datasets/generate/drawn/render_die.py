"""Puts a die on the canvas: its shadow, its faces, its worn edges."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.drawn.camera import Camera
from datasets.generate.drawn.die_faces import Die, inked
from datasets.generate.drawn.materials import Light
from datasets.generate.drawn.shading import lit, surface
from datasets.generate.parts.canvas import CANVAS, Floats, Picture, Rng, blurred, hull
from datasets.generate.parts.solids import Body

_EYE = 20
"""How far away the eye is taken to be where it decides which faces are seen, in radii of a die."""


def put(rng: Rng, canvas: Picture, die: Die, camera: Camera, light: Light) -> Picture:
    """The canvas (canvas x canvas x 3) with the die and its shadow on it."""
    body, material = die.body, die.material
    canvas = _shadowed(rng, canvas, body, camera, light)
    seen = _facing(body, camera)
    outlines = [camera.see(body.corners(k)) for k in seen]
    ink = inked(die, camera, [k for k in seen if body.normals[k] @ camera.towards > 0.12])
    normals = surface(material, ink, camera, [body.normals[k] for k in seen], outlines)
    mask = _silhouette(outlines, material.bevel)[..., None]
    colour = lit(rng, material, canvas, normals, ink, camera, light)
    if material.edge:
        colour += np.float32(material.edge) * _edges(outlines, material.bevel)[..., None]
    return np.asarray(canvas + mask * (colour - canvas), np.float32)


def _facing(body: Body, camera: Camera) -> list[int]:
    """The faces that are turned to the camera."""
    eye = camera.towards * _EYE
    return [k for k in range(len(body.faces)) if (eye - body.corners(k).mean(axis=0)) @ body.normals[k] > 0]


def _shadowed(rng: Rng, canvas: Picture, body: Body, camera: Camera, light: Light) -> Picture:
    """The lamp's shadow."""
    floor = body.vertices[:, 2].min()
    lamp = light.towards
    cast = body.vertices - lamp * ((body.vertices[:, 2:] - floor) / lamp[2])
    soft = blurred(hull(camera.see(cast)).astype(np.float32), rng.uniform(1, 12))
    depth = np.float32(rng.uniform(0.2, 0.75) * light.strength / (light.strength + light.sky) / 255)
    return np.asarray(canvas * (1 - depth * soft)[..., None], np.float32)


def _silhouette(outlines: Sequence[Floats], bevel: float) -> Picture:
    mask = hull(np.concatenate(outlines))
    soft = blurred(mask.astype(np.float32) * np.float32(1 / 255), 0.5 + bevel / 2)
    return np.asarray(np.clip((soft - 0.5) * (1 + bevel) + 0.5, 0, 1), np.float32)


def _edges(outlines: Sequence[Floats], bevel: float) -> Picture:
    lines = np.zeros((CANVAS, CANVAS), np.uint8)
    cv2.polylines(lines, [np.round(line * 8).astype(np.int32) for line in outlines], True, 255, 2, cv2.LINE_AA, 3)
    return blurred(lines.astype(np.float32) * np.float32((1 + bevel / 3) / 255), 0.7 + bevel / 4)
