"""Cribbage boards with their pegs, flat on a photo's table and seen at a slant."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.parts.cribbage_boards import CribbageBoard, Peg, cribbage_board
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet, stored

_LONG = 0.5, 1.6
"""A board's longer side over the picture's: some reach out of it."""
_LEANING = 0.35
"""How far a peg's head lies from its hole, over its height, at most: as it is seen from the side."""
_SHINY = 4
"""Pixels of a peg's radius above which a light shows on its head."""


def boards(rng: Rng, ground: Sheet) -> Sheet:
    """One or two boards with their shadows on a picture (height x width x 3)."""
    for _ in range(1 + int(rng.random() < 0.15)):
        ground = _laid(rng, ground, cribbage_board(rng))
    return ground


def _laid(rng: Rng, ground: Sheet, board: CribbageBoard) -> Sheet:
    """A board lying on the picture, its pegs leaning all one way."""
    height, width = ground.shape[:2]
    warp = _place(rng, board, (width, height))
    top = board.top
    scale = float(np.sqrt(abs(np.linalg.det(warp[:2, :2]))))
    if scale < 0.5:  # OpenCV's warp would skip pixels
        small = cv2.resize(top, None, fx=2 * scale, fy=2 * scale, interpolation=cv2.INTER_AREA)
        warp = warp @ np.diag([top.shape[1] / small.shape[1], top.shape[0] / small.shape[0], 1.0])
        top = np.asarray(small, np.uint8)
    laid = cv2.warpPerspective(top, warp, (width, height), flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.ones(top.shape[:2], np.float32), warp, (width, height))
    thick = rng.uniform(0.005, 0.03) * min(height, width)
    aside = rng.normal(0, thick, 2)
    shift = np.array([[1, 0, aside[0]], [0, 1, aside[1]]], np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, shift, (width, height)), (0, 0), 1 + thick / 3)
    dimmed = ground * (1 - rng.uniform(0.2, 0.7) * shadow[..., None])
    light = 1 + rng.uniform(-0.4, 0.1)
    seen = np.asarray((dimmed * (1 - cover[..., None]) + laid * cover[..., None] * light).clip(0, 255), np.uint8)
    lean = rng.normal(0, 1, 2)
    lean *= rng.uniform(0, _LEANING) / max(1e-6, float(np.linalg.norm(lean)))
    to_sheet = np.diag([top.shape[1] / board.size[0], top.shape[0] / board.size[1], 1.0])
    for peg in board.pegs:
        _peg(rng, seen, peg, warp @ to_sheet, lean)
    return seen


def _place(rng: Rng, board: CribbageBoard, size: tuple[int, int]) -> Points:
    """The 3 x 3 matrix that lays the sheet on the picture."""
    high, wide = board.top.shape[:2]
    long = max(size) * math.exp(rng.uniform(*np.log(_LONG)))
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (wide, high) / 2 * long / max(wide, high)
    turn = rng.uniform(0, 2 * math.pi)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = half @ np.array([[cos, sin], [-sin, cos]]) * (1, rng.uniform(0.5, 1))
    corners += rng.uniform(0.1, 0.9, 2) * size + rng.normal(0, 0.02 * long, (4, 2))
    source = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, corners.astype(np.float32)), np.float64)


def _peg(rng: Rng, seen: Sheet, peg: Peg, warp: Points, lean: Points) -> None:
    """A peg from its hole to its head, a light on it; its shadow the other way."""
    foot, beside = (_point(warp, spot) for spot in (peg.at, (peg.at[0] + peg.radius, peg.at[1])))
    radius = max(1, round(math.dist(foot, beside)))
    reach = lean * peg.tall / max(peg.radius, 1e-6) * radius
    head = foot + reach
    shade = tuple(int(v * rng.uniform(0.5, 0.7)) for v in stored(peg.colour))
    cv2.line(seen, _pixel(foot), _pixel(foot - 0.8 * reach), tuple(int(v) for v in (25, 22, 20)), radius, cv2.LINE_AA)
    cv2.line(seen, _pixel(foot), _pixel(head), shade, max(1, 2 * radius - 1), cv2.LINE_AA)
    cv2.circle(seen, _pixel(head), radius, stored(peg.colour), -1, cv2.LINE_AA)
    if radius > _SHINY:
        light = tuple(min(255, int(v + (180 if peg.metal else 90))) for v in stored(peg.colour))
        cv2.circle(seen, _pixel(head + rng.normal(0, radius / 4, 2)), max(1, radius // 4), light, -1, cv2.LINE_AA)


def _point(warp: Points, spot: tuple[float, float]) -> Points:
    x, y, w = warp @ (*spot, 1.0)
    return np.array([x / w, y / w])


def _pixel(at: Points) -> tuple[int, int]:
    x, y = np.round(at).astype(int).tolist()
    return x, y
