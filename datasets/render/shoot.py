"""Rendering a built scene, labelling it exactly, and spoiling the picture as a phone would."""

from __future__ import annotations

import io
import math
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from datasets.render.scene import Placed, Scene

Rng = np.random.Generator


def render(scene: Scene, samples: int) -> Image.Image:
    """The scene through Cycles on the CPU, denoised."""
    settings = bpy.context.scene
    settings.render.engine = "CYCLES"
    settings.cycles.device = "CPU"
    settings.cycles.samples = samples
    settings.cycles.use_denoising = True
    settings.cycles.denoiser = "OPENIMAGEDENOISE"
    # Fast filters and a coarse light map: a third of the time, and no difference that survives `spoil`.
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


def spoil(rng: Rng, image: Image.Image) -> Image.Image:
    """What a phone or webcam does to a picture: white balance, haze, blur, low resolution, noise, JPEG."""
    if rng.random() < 0.25:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.6)))
    pixels: NDArray[np.float32] = np.asarray(image, np.float32) / np.float32(255)
    if rng.random() < 0.7:  # automatic exposure
        pixels = pixels * np.float32(min(4.0, rng.uniform(0.25, 0.65) / max(0.02, float(pixels.mean()))))
    pixels = pixels * np.exp(rng.normal(0, 0.07, 3).astype(np.float32))
    if rng.random() < 0.08:
        pixels = _shaken(rng, pixels)
    if rng.random() < 0.06:
        pixels = np.repeat(pixels.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.15:
        pixels = np.float32(rng.uniform(0.05, 0.3)) + pixels * np.float32(rng.uniform(0.5, 0.8))
    noise = rng.choice([0, rng.uniform(0, 0.02), rng.uniform(0.02, 0.07)], p=[0.3, 0.5, 0.2])
    pixels = pixels + rng.normal(0, 1, pixels.shape).astype(np.float32) * np.float32(noise)
    image = Image.fromarray((pixels.clip(0, 1) * 255).astype(np.uint8))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=int(rng.choice([35, 60, 75, 85, 92, 95])))
    return Image.open(io.BytesIO(buffer.getvalue())).convert("RGB")


def _shaken(rng: Rng, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    turn, length = rng.uniform(0, np.pi), rng.uniform(2, 7)
    steps = np.linspace(-length / 2, length / 2, 7)
    moved = [np.roll(pixels, (round(s * np.sin(turn)), round(s * np.cos(turn))), (0, 1)) for s in steps]
    return np.asarray(np.mean(moved, axis=0), np.float32)


def labels(scene: Scene) -> list[dict[str, Any]]:
    """For each pip die that shows: box (pixels: x1, y1, x2, y2), value, hidden and top_seen (shares 0..1), colour, and
    from how many degrees over the table it is seen. Look-alikes follow with kind "other" and their box.

    What hides a die is found by casting a ray from the camera to each of its vertices. `value` is None when cocked.
    """
    found = [*(_label(scene, die) for die in scene.dice), *(_other_label(scene, thing) for thing in scene.others)]
    return [label for label in found if label]


def _other_label(scene: Scene, thing: Any) -> dict[str, Any] | None:
    """The box of a look-alike as if nothing hid it; None if most of it is outside the picture."""
    world = np.array(thing.matrix_world)
    verts = np.array([v.co[:] for v in thing.data.vertices]) @ world[:3, :3].T + world[:3, 3]
    points = _project(scene, verts)
    width, height = bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y
    if not 0 < points[:, 0].mean() < width or not 0 < points[:, 1].mean() < height:
        return None
    return {"kind": "other", "value": None, "box": [round(float(c), 1) for c in (*points.min(0), *points.max(0))]}


def _label(scene: Scene, die: Placed) -> dict[str, Any] | None:
    seen, front, points = _visible(scene, die)
    if seen.sum() < 4:
        return None
    x, y = points[seen].T
    width, height = bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y
    box = [max(0.0, x.min()), max(0.0, y.min()), min(float(width), x.max()), min(float(height), y.max())]
    return {
        "kind": "d6",
        "value": die.value,
        "box": [round(float(c), 1) for c in box],
        "hidden": round(1 - float(seen.sum() / max(1, front.sum())), 2),
        "top_seen": round(float((seen & die.top).sum() / max(1, die.top.sum())), 2),
        "view": round(_view(scene, die), 1),
        "colour": [round(c, 2) for c in die.colour],
    }


def _view(scene: Scene, die: Placed) -> float:
    away = scene.camera.matrix_world.translation - die.thing.matrix_world.translation
    return math.degrees(math.asin(away.normalized().z))


def _visible(scene: Scene, die: Placed) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
    """For every vertex: is it seen in the picture, does it face the camera, and its pixel."""
    graph = bpy.context.evaluated_depsgraph_get()
    world = np.array(die.thing.matrix_world)
    verts = np.array([v.co[:] for v in die.thing.data.vertices])
    normals = np.array([v.normal[:] for v in die.thing.data.vertices]) @ world[:3, :3].T
    spots = verts @ world[:3, :3].T + world[:3, 3]
    eye = np.array(scene.camera.matrix_world.translation)
    front = ((eye - spots) * normals).sum(1) > 0
    points = _project(scene, spots)
    width, height = bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y
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
