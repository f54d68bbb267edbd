"""Motion detection on small pictures: the gate that keeps the networks from running while nothing happens.

A camera that shakes and a lamp that is switched change every pixel, but move no piece. So two pictures are registered before they
are compared: by the small shift that explains most of the difference (Lucas and Kanade, "An iterative image registration
technique", IJCAI 1981) and by the change of light, which is smooth over a table. What still differs by more than the noise has
moved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

Grey = NDArray[np.float32]
"""H x W, 0..255, the longer side `LONG_SIDE`."""
Tint = NDArray[np.float32]
"""H x W x 2: how far the colour is from grey towards red and towards blue, -128..127."""
Layers = NDArray[np.float32]
"""Regressors for the change of some pixels, a row for each cause; or one number for each pixel or cause."""
Mask = NDArray[np.bool_]
"""H x W of a small picture: where it differs."""

LONG_SIDE = 160
_LEAST_LEVELS = 9.0
"""Least difference of a changed pixel in grey levels: a webcam's compression alone makes about five."""
_MOST_LEVELS = 25.0
"""A larger difference is no noise, in any light."""
_LEAST_TINT = 10.0
"""Least difference of a changed pixel in tint: compression alone makes about four."""
_DARK = 8.0
"""Grey levels added when tint is divided by lightness: in darker pixels tint means little."""
_NOISES = 5.0
"""Least difference of a changed pixel, over the standard deviation of the noise."""
_QUARTILE = 0.3186
"""A quarter of normal noise is smaller than so many of its standard deviations."""
_MOST_SHIFT = 1.5
"""Largest shift of one registration step, in pixels of a small picture."""
_LEAST_SHIFT = 0.05
"""A smaller shift ends the registration."""
_STEPS = 3
_TRIALS = 3
_FEW, _MOST = 0.25, 0.6
"""Shares of the pixels with which the registration starts: a hand may cover the rest."""
_STIFF = 1e-2
"""Ridge term that keeps the registration solvable on a table without structure."""
_TRIM = 2.5
"""Pixels whose residual is more than so many times the noise are outliers, left out of the registration."""
_MOST_REMEMBERED = 400
"""Small pictures with their tint; about 90 MB at most."""
_SLACK = 1e-3
"""Tolerance in seconds, for times of frames are rounded."""
_EVERYWHERE = 0.8
"""A change of more than this share of the picture is too large for a hand."""
_LEAST_BLOB = 5
"""Least area of a blob in pixels; a die that can be read is 6 wide in a small picture."""


def small(pixels: Pixels) -> tuple[Grey, Tint]:
    """A frame shrunk to grey and tint, slightly smoothed: remaining grain and sharp edges would look like motion."""
    size = small_size(pixels.shape[1], pixels.shape[0])
    shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    parts = cv2.cvtColor(cv2.GaussianBlur(shrunk, (3, 3), 0) / 255, cv2.COLOR_RGB2YCrCb) * 255
    grey, *tint = cv2.split(parts)
    # Red and blue are separate planes in memory: computing on one at a time is twice as fast.
    return np.asarray(grey, np.float32), np.moveaxis(np.stack(tint) - np.float32(127.5), 0, 2)


def small_size(width: int, height: int) -> tuple[int, int]:
    """Width and height of the small picture of a frame of this size."""
    scale = LONG_SIDE / max(height, width)
    return max(8, round(width * scale)), max(8, round(height * scale))


def difference(then: Grey, now: Grey, *, lamp: bool = False) -> Grey:
    """The residual, in grey levels, between `now` and a registered `then`: shifted by up to a few pixels, lighter or darker.

    Args:
        then: a small picture.
        now: a later one of the same size.
        lamp: whether much time lies between them: the light may have changed differently in each corner, and a hand may cover
            half the table.
    """
    rest = now - then
    if float(np.abs(rest).max()) < _LEAST_LEVELS:
        return rest
    for step in range(_STEPS):
        causes = _causes(then, lamp)
        answer = _fitted(causes, then, rest, lamp)
        x, y = (float(np.clip(-part, -_MOST_SHIFT, _MOST_SHIFT)) for part in answer[:2])
        if max(abs(x), abs(y)) < _LEAST_SHIFT or step == _STEPS - 1:
            break
        then = shifted(then, (x, y))
        rest = now - then
    return np.asarray(rest - np.tensordot(answer, causes, 1), np.float32)


def shifted(picture: Grey, shift: tuple[float, float]) -> Grey:
    """The picture with its content shifted right and down by so many pixels."""
    height, width = picture.shape
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32)


def _fitted(causes: Layers, then: Grey, change: Grey, lamp: bool) -> Layers:
    """The coefficients of the causes that explain the change of `then` best; the first two are a shift."""
    few = causes[:, ::2, ::2].reshape(len(causes), -1)  # every fourth pixel is enough
    wanted = change[::2, ::2].ravel()
    answer = np.zeros(len(few), np.float32)
    explained = _share_of_small(wanted)
    for weights in _begins(then[::2, ::2].ravel(), wanted) if lamp else (np.ones_like(wanted),):
        another = _answer(few, wanted, weights)
        if (more := _share_of_small(wanted - another @ few)) > explained:
            answer, explained = another, more
        if explained > _MOST:
            break
    return answer


def _answer(few: Layers, wanted: Layers, weights: Layers) -> Layers:
    """The coefficients of the causes that explain most pixels (iteratively trimmed least squares)."""
    answer = _solved(few, wanted, weights)
    for _ in range(_TRIALS - 1):
        rest = np.abs(wanted - answer @ few)
        answer = _solved(few, wanted, np.asarray(rest < _TRIM * _noise(rest) + 1.0, np.float32))
    return answer


def _solved(few: Layers, wanted: Layers, weights: Layers) -> Layers:
    weighted = few * weights
    stiff = _STIFF * np.eye(len(few), dtype=np.float32)
    # OpenCV's solver, for NumPy's has ten times the overhead.
    _, column = cv2.solve(weighted @ few.T + stiff, (weighted @ wanted)[:, None], flags=cv2.DECOMP_CHOLESKY)
    return np.asarray(column[:, 0], np.float32)


def _share_of_small(differences: Layers) -> float:
    """The share of the pixels with hardly any difference."""
    return np.count_nonzero(np.abs(differences) < _LEAST_LEVELS) / len(differences)


def _begins(then: Layers, wanted: Layers) -> Iterator[Layers]:
    """Weights of the pixels to start with: those that changed least, then those whose light changed like most pixels'."""
    yield _lowest(np.abs(wanted), _FEW)
    yield _lowest(np.abs(wanted - then * _quantile(wanted / (then + 1.0), 0.5)), _MOST)


def _lowest(sizes: Layers, share: float) -> Layers:
    return np.asarray(sizes <= _quantile(sizes, share), np.float32)


def _quantile(numbers: Layers, share: float) -> float:
    """The quantile of the numbers at a share (0..1). `np.median` takes three times as long for so few."""
    at = int(share * len(numbers))
    return float(np.partition(numbers, at)[at])


def _causes(then: Grey, lamp: bool) -> Layers:
    """The regressors for changes without motion of a piece, a layer for each cause: a shift right or down, more light."""
    corners = _corners(then.shape)
    layers = np.empty((3 + len(corners) if lamp else 3, *then.shape), np.float32)
    cv2.Sobel(then, cv2.CV_32F, 1, 0, dst=layers[0], scale=1 / 8)
    cv2.Sobel(then, cv2.CV_32F, 0, 1, dst=layers[1], scale=1 / 8)
    np.divide(then, 128, out=layers[2])
    if lamp:
        np.multiply(layers[2], corners, out=layers[3:])
    return layers


@cache
def _corners(shape: tuple[int, int]) -> Layers:
    """Second-degree polynomials for the change of light over a picture of this shape, a layer for each: x, y, xy, x², y²."""
    height, width = shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return np.stack((x, y, x * y, x * x, y * y))


def _noise(sizes: Layers) -> float:
    """The standard deviation of the noise, from absolute differences, robust if at least a quarter of the pixels did not move."""
    return _quantile(sizes, 0.25) / _QUARTILE


def moved(rest: Grey) -> Mask:
    """The mask of residuals larger than noise, without specks."""
    noise = _NOISES * _noise(np.abs(rest[::2, ::2]).ravel())
    return _opened(np.abs(rest) > min(max(_LEAST_LEVELS, noise), _MOST_LEVELS))


def _opened(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def is_global_change(mask: Mask) -> bool:
    """Whether too much has changed for a hand: the lamp or the camera was moved."""
    return bool(mask.mean() > _EVERYWHERE)


def camera_shift(then: Grey, now: Grey) -> tuple[float, float]:
    """The shift of the whole picture, in pixels right and down (phase correlation, Kuglin and Hines 1975)."""
    height, width = then.shape
    # Copies, for OpenCV multiplies its inputs by the window in place.
    (x, y), _ = cv2.phaseCorrelate(then.copy(), now.copy(), _window(width, height))
    return x, y


@cache
def _window(width: int, height: int) -> Grey:
    return np.asarray(cv2.createHanningWindow((width, height), cv2.CV_32F), np.float32)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small picture of a frame, with the frame's number and its time in seconds."""

    frame: int
    time: float
    picture: Grey
    tint: Tint

    @classmethod
    def of(cls, pixels: Pixels, frame: int, time: float) -> Self:
        """The thumbnail of a frame (H x W x 3, RGB)."""
        return cls(frame, time, *small(pixels))


def changed_mask(then: Thumbnail, now: Thumbnail, shift: tuple[float, float] = (0.0, 0.0)) -> Mask:
    """The mask of changes between two pictures of one table: in lightness, or in tint, like a hand on a table as light as itself.

    Args:
        then: a thumbnail.
        now: a later one of the same size.
        shift: the known shift of the picture by the camera, in pixels right and down.
    """
    before = shifted(then.picture, shift) if any(shift) else then.picture
    changed = moved(difference(before, now.picture, lamp=True))
    tinted = np.zeros(changed.shape, bool)
    light, was_light = now.picture + _DARK, before + _DARK
    for part, was in zip(_layers(now.tint), _layers(then.tint), strict=True):
        was = shifted(was, shift) if any(shift) else was
        drift = part / light - was / was_light
        drift -= _quantile(drift[::2, ::2].ravel(), 0.5)  # the lamp's colour
        drift *= light
        tinted |= np.abs(drift) > _LEAST_TINT
    return np.asarray(changed | _opened(tinted))


def _layers(tint: Tint) -> Layers:
    return np.moveaxis(tint, 2, 0)


@dataclass(frozen=True, slots=True)
class Blob:
    """A connected region of a mask: its pixels, their number, and whether it touches the picture's edge."""

    mask: Mask
    area: int
    at_edge: bool


def blobs(mask: Mask) -> list[Blob]:
    """The blobs in a mask, largest first."""
    if not mask.any():
        return []
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = mask.shape
    found = []
    for i in range(1, count):
        left, top, wide, high, area = (int(n) for n in stats[i])
        edge = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
        if area >= _LEAST_BLOB:
            found.append(Blob(labels == i, area, edge))
    return sorted(found, key=lambda blob: -blob.area)


def has_larger(mask: Mask, area: float, apart: int = 0) -> bool:
    """Whether the mask has a blob that covers more than so many pixels.

    `apart`: the gap allowed between the parts of one blob: of a die of the table's colour only pips and edges differ.
    """
    if np.count_nonzero(mask) <= area:
        return False
    parts = mask.astype(np.uint8)
    near = cv2.dilate(parts, np.ones((apart + 1, apart + 1), np.uint8)) if apart else parts
    _, things = cv2.connectedComponents(near, connectivity=8)
    largest = np.bincount(things[mask]).max()
    return bool(largest > area and largest >= _LEAST_BLOB)


@dataclass(frozen=True, slots=True)
class Motion:
    """The motion between an earlier picture and the present one.

    Attributes:
        now: the picture.
        before: the earlier one that it was compared with.
        mask: where they differ.
    """

    now: Thumbnail
    before: Thumbnail
    mask: Mask


class MotionGate:
    """Detects motion. Its answer depends only on this picture and those before it."""

    def __init__(self, lag: float) -> None:
        """Compare each picture with the one `lag` seconds before."""
        self._lag = lag
        self._latest: deque[Thumbnail] = deque()

    def see(self, now: Thumbnail) -> Motion:
        """What has moved within the lag; nothing in a first picture, or in one of another size than before."""
        if self._latest and self._latest[-1].picture.shape != now.picture.shape:
            self._latest.clear()
        self._latest.append(now)
        while len(self._latest) > 2 and self._latest[1].time <= now.time - self._lag + _SLACK:
            self._latest.popleft()
        before = self._latest[0]
        return Motion(now, before, moved(difference(before.picture, now.picture)))


class Recent:
    """The thumbnails since the table was last known, one for every `lag` seconds."""

    def __init__(self, lag: float) -> None:
        """Start with none."""
        self._lag = lag
        self._kept: list[Thumbnail] = []

    def add(self, now: Thumbnail) -> None:
        """Add a thumbnail; if there are too many, drop every other one of the older half, but never the first."""
        if self._kept and self._kept[-1].picture.shape != now.picture.shape:
            self._kept.clear()
        if not self._kept or now.time - self._kept[-1].time >= self._lag - _SLACK:
            self._kept.append(now)
        if len(self._kept) > _MOST_REMEMBERED:
            del self._kept[1 : _MOST_REMEMBERED // 2 : 2]

    def until(self, last: Thumbnail) -> list[Thumbnail]:
        """The thumbnails since `begin`, up to and including a picture."""
        return [each for each in self._kept if each.time <= last.time]

    def begin(self, now: Thumbnail) -> None:
        """Start again from a picture; drop all before it."""
        self._kept = [now, *(each for each in self._kept if each.time > now.time)]
