"""Photos of flat tables with tiles: simulated lens, light and camera faults, and a detector's error of the outline."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.drawn.tile_grounds import TABLE, Floats, Pixels, Rng

END = 72
"""Side in pixels of a half tile on the flat table."""
SLANT = (0.18, 0.9)
"""Range of a side face's width in ends, for a photo taken at a slant."""
_MOST = 72.0
"""The most pixels of an end in a photo."""
_NEAREST, _FARTHEST = 6.0, 40.0
"""Range of the camera's distance to the tile, in ends."""


@dataclass(frozen=True, slots=True)
class TileScene:
    """A flat table, RGB 0..1, and the outline of the tile on it: four corners, the end to read between the first and the last."""

    table: Floats
    outline: Floats
    depth: tuple[float, float] = (0.0, 0.0)
    """Extent of the side faces, in pixels right and down of the face."""


@dataclass(frozen=True, slots=True)
class TilePhoto:
    """A photo of a scene, RGB, the corners of the tile's face in it (4 x 2, pixels), and those of its foot."""

    pixels: Pixels
    corners: Floats
    foot: Floats


def photographed(rng: Rng, scene: TileScene, least: float, nearest: float = _NEAREST) -> TilePhoto:
    """A photo of the scene from `nearest` ends away or more, in which an end is at least `least` pixels large."""
    size = float(np.exp(rng.uniform(np.log(least), np.log(_MOST))))
    lens, side = _lens(rng, scene, size, nearest)
    shrunk, factor = _shrunk(scene.table, size)
    # Pixel i covers i to i + 1: the lens maps pixel edges, the warp needs centres.
    centres = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    smaller = centres @ lens @ np.diag([1 / factor, 1 / factor, 1.0]) @ np.linalg.inv(centres)
    photo = np.asarray(
        cv2.warpPerspective(shrunk, smaller, (side, side), borderMode=cv2.BORDER_REFLECT_101), np.float32
    )
    corners = cv2.perspectiveTransform(scene.outline[None], lens)[0]
    foot = cv2.perspectiveTransform((scene.outline + np.array(scene.depth, np.float32))[None], lens)[0]
    return TilePhoto(_faults(rng, photo, size), np.asarray(corners, np.float32), np.asarray(foot, np.float32))


def turned(corners: Floats) -> Floats:
    """The rotated rectangle around an outline, its corners in the outline's order."""
    box = cv2.boxPoints(cv2.minAreaRect(corners))
    ways = [np.roll(way, -k, axis=0) for way in (box, box[::-1]) for k in range(4)]
    return np.asarray(min(ways, key=lambda way: float(np.abs(way - corners).sum())), np.float32)


def _shrunk(table: Floats, size: float) -> tuple[Floats, float]:
    """The table reduced to the photo's scale, so that sampling skips no pixels; and the scale."""
    factor = min(1.0, size / END)
    if factor > 0.8:
        return table, 1.0
    pixels = round(TABLE * factor)
    return np.asarray(cv2.resize(table, (pixels, pixels), interpolation=cv2.INTER_AREA), np.float32), pixels / TABLE


def _lens(rng: Rng, scene: TileScene, size: float, nearest: float) -> tuple[NDArray[np.float64], int]:
    """The map from the table to a photo in which an end is about `size` pixels large, and the photo's side in pixels."""
    first = scene.outline[[0, 3]]
    middle = (first + (scene.outline[[1, 2]] - first) / 4).mean(0)
    turn, squeeze, near = _view(rng, scene, nearest)
    size /= float(np.sqrt(squeeze))
    c, s = np.cos(turn), np.sin(turn)
    linear = np.diag([1.0, squeeze]) @ np.array([[c, -s], [s, c]]) * size / END
    wide = np.abs((scene.outline - middle) @ linear.T).max() / 1.6
    side = int(np.ceil(max(2.3 * size, 1.9 * wide))) + 4
    tilt = rng.normal(0, 0.1, 2) / side + (0, -near / (squeeze * size))
    centre = np.array([[1, 0, side / 2], [0, 1, side / 2], [0, 0, 1]])
    bend = np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    flat = np.eye(3)
    flat[:2, :2] = linear
    flat[:2, 2] = -linear @ middle
    return centre @ bend @ flat, side


def _view(rng: Rng, scene: TileScene, nearest: float) -> tuple[float, float, float]:
    """The camera's view: the table's rotation, its foreshortening, and how much larger a thing looks that is one end
    nearer. At a slant the side faces are those towards the camera.
    """
    reach = float(np.hypot(*scene.depth)) / END
    if reach < SLANT[0]:
        return rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.0) if rng.random() < 0.3 else 1.0, 0.0
    turn = np.pi / 2 - np.arctan2(scene.depth[1], scene.depth[0]) + rng.normal(0, 0.15)
    elevation = np.clip(np.arctan(rng.uniform(0.28, 0.48) / reach), np.deg2rad(24), np.deg2rad(65))
    ends_away = np.exp(rng.uniform(np.log(nearest), np.log(_FARTHEST)))
    return float(turn), float(np.sin(elevation)), float(np.cos(elevation) / ends_away)


def off(rng: Rng, corners: Floats) -> Floats:
    """The outline with a detector's error: slightly off in position, size, angle and corners, sometimes more."""
    much = rng.choice([0.5, 1.0, 1.8], p=[0.4, 0.48, 0.12])
    length = float(np.linalg.norm(corners[0] - corners[1]))
    turn = np.deg2rad(rng.normal(0, 2.2 * much))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = corners.mean(0)
    along, across = (corners[1] - corners[0]) / length, (corners[3] - corners[0]) / max(1e-6, length)
    grown = (corners - middle) * rng.normal(1, 0.03 * much)
    grown = grown + np.outer([-1, 1, 1, -1], along) * rng.normal(0, 0.012 * much) * length
    grown = grown + np.outer([-1, -1, 1, 1], across) * rng.normal(0, 0.025 * much) * length
    corner = rng.normal(0, 0.01 * much, (4, 2)) * length
    place = rng.normal(0, 0.018 * much, 2) * length
    return np.asarray(middle + grown @ spin.T + corner + place, np.float32)


def _faults(rng: Rng, photo: Floats, size: float) -> Pixels:
    """Light, lens, sensor and compression."""
    photo = _lit(rng, photo)
    if rng.random() < 0.18:
        photo = _hard_shadow(rng, photo, size)
    if rng.random() < 0.2:
        photo = _glare(rng, photo, size)
    if rng.random() < 0.85:
        photo = _exposed(rng, photo)
    if rng.random() < 0.9:
        photo = _blurred(rng, photo, size)
    if rng.random() < 0.8:
        photo = _noisy(rng, photo)
    if rng.random() < 0.3:
        photo = photo + np.float32(rng.uniform(0.3, 1.8)) * (photo - cv2.GaussianBlur(photo, (0, 0), 1.2))
    pixels = np.asarray(np.clip(photo * 255, 0, 255), np.uint8)
    return _compressed(rng, pixels) if rng.random() < 0.7 else pixels


def _lit(rng: Rng, photo: Floats) -> Floats:
    """A light gradient across the photo, and a colour cast."""
    corners = (1 + rng.normal(0, 0.18, (2, 2))).clip(0.4, 1.6).astype(np.float32)
    slope = cv2.resize(corners, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)[..., None]
    tint = 1 + rng.normal(0, 0.06 if rng.random() < 0.75 else 0.2, 3)
    return np.asarray(photo * slope * tint.clip(0.3, 1.7), np.float32)


def _field(photo: Floats, x: float, y: float, turn: float) -> tuple[Floats, Floats]:
    """Coordinates of the pixels about a point, along a direction and across it."""
    dx = np.arange(photo.shape[1], dtype=np.float32)[None] - x
    dy = np.arange(photo.shape[0], dtype=np.float32)[:, None] - y
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    return dx * c + dy * s, dy * c - dx * s


def _hard_shadow(rng: Rng, photo: Floats, size: float) -> Floats:
    """A shadow over a half plane or a strip."""
    x, y = photo.shape[1] / 2 + rng.normal(0, 0.4, 2) * size
    along, _ = _field(photo, x, y, rng.uniform(0, 2 * np.pi))
    soft = max(0.7, size * float(rng.uniform(0.01, 0.15)))
    shade = np.clip(along / soft, 0, 1)
    if rng.random() < 0.4:
        shade = shade * np.clip((size * rng.uniform(0.1, 0.8) - along) / soft, 0, 1)
    return np.asarray(photo * (1 - rng.uniform(0.2, 0.65) * shade)[..., None], np.float32)


def _glare(rng: Rng, photo: Floats, size: float) -> Floats:
    """The reflection of a lamp or a window: bright, with a soft edge, never so large as to hide a whole end."""
    x, y = photo.shape[1] / 2 + rng.normal(0, 0.5, 2) * size
    along, across = _field(photo, x, y, rng.uniform(0, 2 * np.pi))
    length, width = rng.uniform(0.08, 0.6) * size, rng.uniform(0.05, 0.25) * size
    spot = np.exp(-((along / length) ** 2) - (across / width) ** 2)
    return np.asarray(photo + (rng.uniform(0.15, 0.8) * spot)[..., None], np.float32)


def _exposed(rng: Rng, photo: Floats) -> Floats:
    """Over- or underexposure, and a tone curve; sometimes so much that pale tiles bleach."""
    gain = rng.uniform(1.3, 2.2) if rng.random() < 0.12 else np.exp(rng.normal(0, 0.22))
    haze = rng.uniform(0, 0.2) if rng.random() < 0.25 else 0.0
    toned = np.clip(photo * gain, 0, 1) ** np.exp(rng.normal(0, 0.18))
    return np.asarray(toned * (1 - haze) + haze * rng.uniform(0.3, 0.9), np.float32)


def _blurred(rng: Rng, photo: Floats, size: float) -> Floats:
    """Out of focus, or with motion blur."""
    if rng.random() < 0.2:
        length = max(2, round(size * float(rng.uniform(0.03, 0.11))))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        step = round(length * np.cos(turn)), round(length * np.sin(turn))
        cv2.line(
            kernel,
            (length - step[0] // 2, length - step[1] // 2),
            (length + step[0] // 2, length + step[1] // 2),
            1.0,
            1,
        )
        return np.asarray(cv2.filter2D(photo, -1, kernel / kernel.sum()), np.float32)
    sigma = max(0.35, abs(float(rng.normal(0, 0.35))) + size * abs(float(rng.normal(0, 0.014))))
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma), np.float32)


def _noisy(rng: Rng, photo: Floats) -> Floats:
    grain = rng.standard_normal(photo.shape, np.float32) * np.float32(abs(rng.normal(0, 0.03)))
    if rng.random() < 0.4:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.6
    return np.asarray(photo + grain, np.float32)


def _compressed(rng: Rng, pixels: Pixels) -> Pixels:
    quality = int(rng.uniform(20, 96))
    done, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if not done or decoded is None:
        raise RuntimeError("cannot compress the photo")
    return np.asarray(decoded[..., ::-1], np.uint8)
