"""The surface of a die per pixel: its normals, and its colour under the lamp."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.drawn.camera import Camera
from datasets.generate.drawn.materials import Light, Material
from datasets.generate.parts.canvas import CANVAS, Floats, Picture, Rng, blurred


def surface(
    material: Material, ink: Picture, camera: Camera, normals: Sequence[Floats], outlines: Sequence[Floats]
) -> Picture:
    """Unit normals per pixel (canvas x canvas x 3), with rounded edges, bulging faces and sunken numerals.

    Args:
        material: gives the rounding and the depth.
        ink: the numerals (canvas x canvas, 0..1).
        camera: the camera.
        normals: the normal of each visible face.
        outlines: the same faces' corners on the canvas (n x 2 each).
    """
    field = np.zeros((CANVAS, CANVAS, 3), np.float32)
    for normal, outline in zip(normals, outlines, strict=True):
        cv2.fillConvexPoly(field, np.round(outline).astype(np.int32), tuple(float(v) for v in normal))
    field = blurred(field, material.bevel)
    if material.engraved:
        _engrave(field, ink, camera, material.engraved)
    if material.bulge:
        _bulge(field, camera, material.bulge)
    length = np.sqrt(np.einsum("ijk,ijk->ij", field, field))
    return np.asarray(field / np.maximum(length, 1e-4)[..., None], np.float32)


def _engrave(field: Picture, ink: Picture, camera: Camera, depth: float) -> None:
    right, down = camera.screen()
    deep = blurred(ink, 1.0)
    for axis, by in ((right, cv2.Sobel(deep, cv2.CV_32F, 1, 0)), (down, cv2.Sobel(deep, cv2.CV_32F, 0, 1))):
        field += (by * np.float32(depth * 0.5))[..., None] * axis


def _bulge(field: Picture, camera: Camera, by: float) -> None:
    right, down = camera.screen()
    line = np.linspace(-1.2, 1.2, CANVAS, dtype=np.float32) * np.float32(by)
    field += line[None, :, None] * right + line[:, None, None] * down


def lit(
    rng: Rng, material: Material, table: Picture, normals: Picture, ink: Picture, camera: Camera, light: Light
) -> Picture:
    """The die's colour under the lamp at every pixel (canvas x canvas x 3), as if the die covered the whole canvas."""
    paint = _stained(rng, material, table, ink)
    glow = np.float32(light.strength) * np.clip(normals @ light.towards.astype(np.float32), 0, None)
    glow = glow + np.float32(light.sky) * (0.65 + 0.35 * normals[..., 2])
    if material.metal:
        mirrored = (2 * _mirrored(normals, light)) * (1 - 0.7 * ink)
        glow = glow + np.float32(material.metal) * (mirrored - 0.5 * glow)
    highlight = _highlight(material, normals, camera, light)
    return np.asarray(paint * glow[..., None] + highlight[..., None], np.float32)


def _stained(rng: Rng, material: Material, table: Picture, ink: Picture) -> Picture:
    """The paint, with the background that shines through it and the ink on it."""
    paint, glass = material.paint, np.float32(material.glass)
    if material.glass:
        paint = paint + glass * (table[:, ::-1] - paint) + _core(rng) * glass
    cover = (ink * np.float32(rng.uniform(0.8, 1)))[..., None]
    return np.asarray(paint + cover * (material.ink.astype(np.float32) - paint))


def _core(rng: Rng) -> Picture:
    """The brighter inside of a translucent die."""
    line = np.linspace(-1, 1, CANVAS, dtype=np.float32)
    y, x = rng.uniform(-0.5, 0.5, 2).astype(np.float32)
    away = (line[:, None] - y) ** 2 + (line[None] - x) ** 2
    return np.asarray(0.5 * np.clip(1 - 2 * away, 0, 1)[..., None], np.float32)


def _highlight(material: Material, normals: Picture, camera: Camera, light: Light) -> Picture:
    """The lamp's reflection (Blinn-Phong)."""
    half = light.towards + camera.towards
    shine = np.clip(normals @ (half / np.linalg.norm(half)).astype(np.float32), 0, 1)
    return np.asarray(cv2.pow(shine, material.polish)) * np.float32(material.gloss * light.strength)


def _mirrored(normals: Picture, light: Light) -> Picture:
    x, y = 15.5 + 15 * normals[..., 0], 15.5 + 15 * normals[..., 1]
    return np.asarray(cv2.remap(light.around, x, y, cv2.INTER_LINEAR), np.float32)
