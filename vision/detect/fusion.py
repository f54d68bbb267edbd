"""Test-time augmentation: fuses the detections of two passes over one picture, upright and upside down, by averaging.

The network detects tiles upside down almost as well as upright, but not the same ones with the same outline; an error in one
pass is seldom repeated in the other (Krizhevsky et al., "ImageNet Classification with Deep Convolutional Neural Networks",
NeurIPS 2012, average over mirrored crops in the same spirit).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detect.boxes import Detection, iou, without_duplicates
from vision.reading import Quad

_SAME = 0.6
"""Intersection over union above which the detections of two passes are one piece."""
_ONCE = 0.55
"""Factor on the score of a detection in one pass only: hardly more than half, as if the other had scored it nearly 0."""
_LEAST = 0.05


def fuse(first: Sequence[Detection], second: Sequence[Detection], min_score: float = 0.0) -> list[Detection]:
    """The detections of both passes, best first; those of one piece are averaged.

    Args:
        first: the detections of one pass, each piece once.
        second: those of another, in the pixels of the first.
        min_score: detections below this score are added unchanged, where they overlap no other.
    """
    strong = _fused(
        [each for each in first if each.score >= min_score], [each for each in second if each.score >= min_score]
    )
    weak = sorted((each for each in (*first, *second) if each.score < min_score), key=lambda each: -each.score)
    return without_duplicates(weak, lambda one, other: iou(one, other) > _SAME, strong)


def _fused(first: Sequence[Detection], second: Sequence[Detection]) -> list[Detection]:
    left = list(second)
    merged = []
    for detection in first:
        twin = max(
            (other for other in left if other.shape == detection.shape), key=lambda o: iou(detection, o), default=None
        )
        if twin is not None and iou(detection, twin) > _SAME:
            left.remove(twin)
            merged.append(_mean(detection, twin))
        else:
            merged.append(_seen_once(detection))
    return sorted([*merged, *map(_seen_once, left)], key=lambda detection: -detection.score)


def _seen_once(detection: Detection) -> Detection:
    return replace(detection, score=max(_LEAST, _ONCE * detection.score))


def _mean(one: Detection, other: Detection) -> Detection:
    """The mean of two detections: outlines weighted by their scores, the score unweighted."""
    weight = one.score / (one.score + other.score)
    score = (one.score + other.score) / 2
    if one.quad is None or other.quad is None:
        sides = ((a * weight + b * (1 - weight)) for a, b in zip(_sides(one), _sides(other), strict=True))
        left, top, right, bottom = sides
        return replace(one, score=score, left=left, top=top, right=right, bottom=bottom)
    points = np.array(one.quad) * weight + _alike(one.quad, other.quad) * (1 - weight)
    (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return replace(one, score=score, left=left, top=top, right=right, bottom=bottom, quad=(a, b, c, d))


def _sides(detection: Detection) -> tuple[float, float, float, float]:
    return detection.left, detection.top, detection.right, detection.bottom


def _alike(quad: Quad, other: Quad) -> np.ndarray:
    """The other outline, rotated to start at the corner that matches this one's: a tile's two ends have no fixed order."""
    turned = [np.roll(np.array(other), -k, axis=0) for k in range(4)]
    return min(turned, key=lambda points: float(np.abs(points - np.array(quad)).sum()))
