"""Renders a built scene and labels it exactly."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray
from PIL import Image

from datasets.generate.blender.table import NUMERALS, Placed, Scene


def render(scene: Scene, samples: int, threads: int = 0) -> Image.Image:
    """Render the scene with Cycles, denoised; on a GPU if there is one, otherwise on `threads` threads (0: one per core).

    Both trace the same scene; their pictures differ in the last digits.
    """
    settings = bpy.context.scene
    settings.render.threads_mode, settings.render.threads = ("FIXED", threads) if threads else ("AUTO", 1)
    settings.render.engine = "CYCLES"
    settings.cycles.device = _device()
    settings.cycles.samples = samples
    settings.cycles.use_denoising = True
    settings.cycles.denoiser = "OPENIMAGEDENOISE"
    # Fast filters and a coarse light map: a third of the time, and the difference does not survive `camera.renders.degrade`.
    settings.cycles.denoising_quality = settings.cycles.denoising_prefilter = "FAST"
    settings.world.cycles.sampling_method = "MANUAL"
    settings.world.cycles.sample_map_resolution = 128
    settings.cycles.max_bounces = 6
    settings.cycles.caustics_reflective = settings.cycles.caustics_refractive = False
    settings.view_settings.view_transform = "Standard" if scene.rng.random() < 0.5 else "AgX"
    settings.view_settings.exposure = scene.rng.normal(0, 0.6)
    settings.render.image_settings.file_format = "PNG"
    settings.render.image_settings.compression = 0
    with tempfile.TemporaryDirectory() as folder:
        settings.render.filepath = str(Path(folder) / "shot.png")
        bpy.ops.render.render(write_still=True)
        return Image.open(settings.render.filepath).convert("RGB")


_GPUS = ("OPTIX", "CUDA", "HIP", "METAL", "ONEAPI")


def _device() -> str:
    """Either "GPU", enabled, if Cycles supports one that is present, or "CPU"."""
    cycles = bpy.context.preferences.addons.get("cycles")
    for kind in _GPUS if cycles else ():
        try:
            cycles.preferences.compute_device_type = kind
        except TypeError:  # this build of Blender knows no such devices
            continue
        cycles.preferences.get_devices()
        found = [device for device in cycles.preferences.devices if device.type == kind]
        for device in found:
            device.use = True
        if found:
            return "GPU"
    return "CPU"


def labels(scene: Scene) -> list[dict[str, Any]]:
    """For each visible piece, in pixels: "kind", "box" (upright: x1, y1, x2, y2) and "quad" (four corners in order).

    A die has its "value" (None: cocked, no face is up); a domino "ends" ([None, None] face down) and "face_up", its quad
    is its face, the first end between corners 0 and 3. Each also has "hidden" and "top_seen" (shares 0..1), "colour", "cocked",
    and the camera's elevation over the table in degrees ("view"). Look-alikes follow with kind "other" and their box,
    dice of other kinds among them with kind "other die".

    Occlusion is found by casting a ray from the camera to each of a piece's vertices.
    """
    found = [*(_label(scene, piece) for piece in scene.pieces), *(_other_label(scene, thing) for thing in scene.others)]
    return [label for label in found if label]


def _other_label(scene: Scene, thing: Any) -> dict[str, Any] | None:
    """The box of a look-alike, ignoring occlusion; None if most of it is outside the picture."""
    world = np.array(thing.matrix_world)
    verts = np.array([v.co[:] for v in thing.data.vertices]) @ world[:3, :3].T + world[:3, 3]
    points = _project(scene, verts)
    width, height = _size()
    if not 0 < points[:, 0].mean() < width or not 0 < points[:, 1].mean() < height:
        return None
    box = (*points.min(0), *points.max(0))
    kind = "other die" if thing.name.startswith(NUMERALS) else "other"
    return {"kind": kind, "value": None, "box": _rounded(box), "quad": _rounded(_upright(box))}


def _label(scene: Scene, piece: Placed) -> dict[str, Any] | None:
    seen, front, points = _visible(scene, piece)
    if seen.sum() < 4:
        return None
    width, height = _size()
    x, y = points[seen].T
    box = (max(0.0, x.min()), max(0.0, y.min()), min(width, x.max()), min(height, y.max()))
    return {
        "kind": piece.kind,
        **_shown(piece),
        "box": _rounded(box),
        "quad": _rounded(_quad(scene, piece, points[seen])),
        "hidden": round(1 - float(seen.sum() / max(1, front.sum())), 2),
        "top_seen": round(float((seen & piece.top).sum() / max(1, piece.top.sum())), 2),
        "view": round(_view(scene, piece), 1),
        "colour": [round(c, 2) for c in piece.colour],
        "cocked": piece.cocked,
    }


def _shown(piece: Placed) -> dict[str, Any]:
    if piece.kind == "domino":
        return {"ends": list(piece.ends), "face_up": piece.ends[0] is not None}
    return {"value": piece.value}


def _quad(scene: Scene, piece: Placed, seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """The face of a domino; for other pieces the smallest rotated box around the visible part."""
    if piece.outline is None:
        return smallest_box(seen)
    world = np.array(piece.thing.matrix_world)
    return _project(scene, piece.outline @ world[:3, :3].T + world[:3, 3])


def smallest_box(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners (in order, 4 x 2) of the rotated box of least area around some points (n x 2), in steps of one degree."""
    turns = np.radians(np.arange(0, 90))
    axes = np.stack([np.stack([np.cos(turns), np.sin(turns)], -1), np.stack([-np.sin(turns), np.cos(turns)], -1)], 1)
    along = np.einsum("tad,nd->tan", axes, points)
    low, high = along.min(2), along.max(2)
    best = int(np.argmin((high - low).prod(1)))
    (x1, y1), (x2, y2) = low[best], high[best]
    return np.asarray(np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]]) @ axes[best])


def _upright(box: tuple[float, ...]) -> NDArray[np.float64]:
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _rounded(numbers: Any) -> Any:
    return np.round(np.asarray(numbers, float), 1).tolist()


def _size() -> tuple[float, float]:
    render = bpy.context.scene.render
    return float(render.resolution_x), float(render.resolution_y)


def _view(scene: Scene, piece: Placed) -> float:
    away = scene.camera.matrix_world.translation - piece.thing.matrix_world.translation
    return math.degrees(math.asin(away.normalized().z))


def _visible(scene: Scene, piece: Placed) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
    """For every vertex: whether it is visible in the picture, whether it faces the camera, and its pixel."""
    graph = bpy.context.evaluated_depsgraph_get()
    world = np.array(piece.thing.matrix_world)
    verts = np.array([v.co[:] for v in piece.thing.data.vertices])
    normals = np.array([v.normal[:] for v in piece.thing.data.vertices]) @ world[:3, :3].T
    spots = verts @ world[:3, :3].T + world[:3, 3]
    eye = np.array(scene.camera.matrix_world.translation)
    front = ((eye - spots) * normals).sum(1) > 0
    points = _project(scene, spots)
    width, height = _size()
    inside = (points >= 0).all(1) & (points <= (width, height)).all(1)
    seen = front & inside
    for i in np.flatnonzero(seen):
        away = Vector(spots[i] - eye)
        hit, where, *_ = bpy.context.scene.ray_cast(graph, Vector(eye), away.normalized())
        seen[i] = not hit or (where - Vector(eye)).length > away.length - 0.03
    return seen, front, points


def _project(scene: Scene, spots: NDArray[np.float64]) -> NDArray[np.float64]:
    view = np.array(scene.camera.matrix_world.inverted())
    local = spots @ view[:3, :3].T + view[:3, 3]
    render, data = bpy.context.scene.render, scene.camera.data
    scale = data.lens / data.sensor_width * max(render.resolution_x, render.resolution_y)
    flat = local[:, :2] / -local[:, 2:3] * scale
    return np.stack([render.resolution_x / 2 + flat[:, 0], render.resolution_y / 2 - flat[:, 1]], -1)
