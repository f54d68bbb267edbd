"""Draws a die on the canvas: its shadow, its rounded body, the marks on its faces, its worn edges; glass shows what is behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.generate.drawn.camera import Camera
from datasets.generate.drawn.die_faces import Die, flat_face, on_face
from datasets.generate.drawn.materials import Light
from datasets.generate.drawn.ornaments import layers
from datasets.generate.drawn.shading import lit, surface
from datasets.generate.parts.canvas import CANVAS, Bytes, Floats, Picture, Rng, blurred, cross, hull
from datasets.generate.parts.pips import FACE
from datasets.generate.parts.solids import Body

Marks = Callable[[int], tuple[Bytes, Floats | None]]
"""The mark of a value for the whole face: its mask (`FACE` x `FACE`), and its ink if it has one of its own."""

_EYE = 20
"""Distance of the eye assumed for deciding which faces are visible, in radii of a die."""
_GRAZING = 0.1
"""Cosine between a face's normal and the direction to the camera below which no marks are drawn on the face."""


@dataclass(frozen=True)
class Rounding:
    """The rounding of a die: `edges` in inner radii (0 sharp), and the ball that cuts its corners, in inner radii (0: none)."""

    edges: float = 0.0
    ball: float = 0.0


def any_rounding(rng: Rng, cube: bool) -> Rounding:
    """Sharp casino dice, the usual rounded ones, and those cut by a ball; dice of other shapes are sharper."""
    edges = rng.choice([rng.uniform(0.0, 0.05), rng.uniform(0.05, 0.25), rng.uniform(0.2, 0.45)], p=[0.3, 0.5, 0.2])
    ball = float(rng.uniform(1.2, 1.55)) if cube and rng.random() < 0.3 else 0.0
    return Rounding(float(edges) * (1 if cube else 0.35), ball)


def put(
    rng: Rng, canvas: Picture, die: Die, marks: Marks | None, rounding: Rounding, camera: Camera, light: Light
) -> tuple[Picture, Picture]:
    """Draw a die.

    Args:
        rng: source of randomness.
        canvas: the background (canvas x canvas x 3); not changed.
        die: the body, its values and material.
        marks: marks that cover whole faces, such as pips; None for numerals, which the die's own writer makes.
        rounding: the rounding of its edges.
        camera: the camera.
        light: the lighting.

    Returns:
        The canvas with the die on it, and the mask of its top face's ink (canvas x canvas, 0..1).
    """
    body = die.body
    inner = float(min(body.corners(k).mean(0) @ body.normals[k] for k in range(len(body.faces))))
    core = replace(body, vertices=body.vertices * (1 - rounding.edges))
    reach = _pixels(camera) * inner
    canvas = _shadowed(rng, canvas, body, camera, light)
    seen = _facing(body, camera)
    outlines = [camera.see(core.corners(k) + body.normals[k] * inner * rounding.edges) for k in seen]
    ink, colour, top = _marked(rng, die, marks, camera, seen)
    bevel = max(die.material.bevel * 0.6, 0.5 * rounding.edges * reach, 0.4)
    material = replace(die.material, bevel=bevel, ink=die.material.ink if colour is None else colour)
    normals = surface(material, ink, camera, [body.normals[k] for k in seen], outlines)
    mask = _silhouette(camera, core, rounding, reach)[..., None]
    shaded = lit(rng, material, canvas, normals, ink, camera, light)
    if material.edge:
        shaded += np.float32(material.edge) * _edges(outlines, bevel)[..., None]
    return np.asarray(canvas + mask * (shaded - canvas), np.float32), top


def _pixels(camera: Camera) -> float:
    """Pixels of the canvas per unit of the scene, at the die."""
    right = camera.screen()[0].astype(float)
    a, b = camera.see(np.array([[0.0, 0, 0], 0.01 * right]))
    return float(np.linalg.norm(b - a)) * 100


def _facing(body: Body, camera: Camera) -> list[int]:
    """The faces turned to the camera."""
    eye = camera.towards * _EYE
    return [k for k in range(len(body.faces)) if (eye - body.corners(k).mean(axis=0)) @ body.normals[k] > 0]


def _marked(
    rng: Rng, die: Die, marks: Marks | None, camera: Camera, seen: Sequence[int]
) -> tuple[Picture, Picture | None, Picture]:
    """The result of `_inked` for the visible faces; in glass, those on the far side shine through."""
    body = die.body
    faces = [k for k in seen if body.normals[k] @ camera.towards > _GRAZING]
    ink, colour, top = _inked(die, marks, camera, faces)
    if die.material.glass:
        ghost, _, _ = _inked(die, marks, camera, [k for k in range(len(body.faces)) if k not in seen])
        ink = np.maximum(ink, blurred(ghost, 2) * np.float32(rng.uniform(0, 0.9) * die.material.glass))
    return ink, colour, top


def _inked(
    die: Die, marks: Marks | None, camera: Camera, faces: Sequence[int]
) -> tuple[Picture, Picture | None, Picture]:
    """Ink of some faces (canvas x canvas, 0..1), its colours where they differ, and the ink of the top alone."""
    ink = np.zeros((CANVAS, CANVAS), np.uint8)
    top, top_ink = int(np.argmax(die.body.normals[:, 2])), ink
    colour: Picture | None = None
    for face in faces:
        for mask, own, place in _layers(die, marks, face):
            drawn = np.asarray(
                cv2.warpPerspective(mask, camera.matrix @ place, (CANVAS, CANVAS), flags=cv2.INTER_LINEAR), np.uint8
            )
            if own is not None:
                colour = _plain(np.asarray(die.material.ink, np.float64)) if colour is None else colour
                colour = _painted(colour, drawn, own, ink)
            ink = np.maximum(ink, drawn)
            top_ink = drawn if face == top else top_ink
    share = np.float32(1 / 255)
    return ink.astype(np.float32) * share, colour, top_ink.astype(np.float32) * share


def _painted(colour: Picture, drawn: Bytes, own: Floats | Picture, below: Bytes) -> Picture:
    """The colours with another layer's added: exactly where it covers other ink, one pixel farther where it does not."""
    bare = (cv2.dilate(drawn, np.ones((3, 3), np.uint8)) > 8) & (below < 128)
    share = np.where(bare, 255, drawn).astype(np.float32)[..., None] / 255
    return np.asarray(colour + share * (np.asarray(own, np.float32) - colour), np.float32)


def _layers(die: Die, marks: Marks | None, face: int) -> Iterator[tuple[Bytes, Floats | Picture | None, Floats]]:
    """The layers of a face, its value last: masks, their own colours, and the 4 x 3 matrices that map them to the scene."""
    if marks:
        mask, own = marks(die.values[face])
        yield mask, own, _edge_to_edge(die, face)
        return
    if die.ornament:
        outline, place = flat_face(die, face)
        for mask, own in layers(die.ornament, outline):
            yield mask, own, place
    mask = die.writer(die.values[face], die.lettering)
    yield mask, die.material.ink if die.ornament else None, on_face(die, face, mask)


def _plain(colour: Floats) -> Picture:
    """A canvas of one colour (or a picture, unchanged)."""
    return np.array(np.broadcast_to(colour, (CANVAS, CANVAS, 3)), np.float32)


def _edge_to_edge(die: Die, face: int) -> Floats:
    """The 4 x 3 matrix that maps a face's mask (`FACE` x `FACE`) to the scene, edge to edge of a square face."""
    corners, normal = die.body.corners(face), die.body.normals[face]
    right = (corners[1] - corners[0]) / 2
    down = cross(normal, right)
    tilt = float(die.wander[face, 0])
    along, across = right * np.cos(tilt) + down * np.sin(tilt), down * np.cos(tilt) - right * np.sin(tilt)
    start = corners.mean(axis=0) - along - across + die.wander[face, 1:] @ (right, down)
    return np.vstack([np.column_stack([along * 2 / FACE, across * 2 / FACE, start]), [0, 0, 1]])


def _shadowed(rng: Rng, canvas: Picture, body: Body, camera: Camera, light: Light) -> Picture:
    """The canvas with the lamp's shadow, and the contact shadow under the die."""
    floor = body.vertices[:, 2].min()
    lamp = light.towards
    cast = body.vertices - lamp * ((body.vertices[:, 2:] - floor) / lamp[2])
    soft = blurred(hull(camera.see(cast)).astype(np.float32), rng.uniform(1, 12))
    depth = np.float32(rng.uniform(0.05, 0.75) * light.strength / (light.strength + light.sky) / 255)
    foot = body.vertices * (1.06, 1.06, 0) + (0, 0, floor)
    near = blurred(hull(camera.see(foot)).astype(np.float32), rng.uniform(2, 7)) * np.float32(rng.uniform(0, 0.5) / 255)
    return np.asarray(canvas * ((1 - depth * soft) * (1 - near))[..., None], np.float32)


def _silhouette(camera: Camera, core: Body, rounding: Rounding, reach: float) -> Picture:
    """The outline of the `core` (the body without its rounding), dilated by the rounding; `reach`: the inner radius in pixels."""
    mask = hull(camera.see(core.vertices))
    radius = rounding.edges * reach
    if radius > 0.7:
        side = 2 * round(radius) + 1
        mask = np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))), np.uint8)
    if rounding.ball:
        disc = np.zeros_like(mask)
        x, y = camera.see(np.zeros((1, 3)))[0]
        at = round(x * 16), round(y * 16)
        cv2.circle(disc, at, round(rounding.ball * reach * 16), 255, -1, cv2.LINE_AA, 4)
        mask = np.minimum(mask, disc)
    return blurred(mask.astype(np.float32) * np.float32(1 / 255), 0.7)


def _edges(outlines: Sequence[Floats], bevel: float) -> Picture:
    lines = np.zeros((CANVAS, CANVAS), np.uint8)
    cv2.polylines(lines, [np.round(line * 8).astype(np.int32) for line in outlines], True, 255, 2, cv2.LINE_AA, 3)
    return blurred(lines.astype(np.float32) * np.float32((1 + bevel / 3) / 255), 0.7 + bevel / 4)
