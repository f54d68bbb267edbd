"""Motion blur and low resolution, with OpenCV."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.camera.effects import Picture


def shaken(picture: Picture, turn: float, length: float) -> Picture:
    """The picture with motion blur along a line of `length` pixels, `turn` radians from the horizontal."""
    half = math.ceil(length / 2)
    kernel = np.zeros((2 * half + 1,) * 2, np.float32)
    dx, dy = round(math.cos(turn) * length / 2), round(math.sin(turn) * length / 2)
    cv2.line(kernel, (half - dx, half - dy), (half + dx, half + dy), 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT), np.float32)


def enlarged(picture: Picture, width: int, height: int, way: int) -> Picture:
    """The picture reduced to `width` x `height` and enlarged to its size again, with OpenCV's interpolation `way`."""
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (picture.shape[1], picture.shape[0]), interpolation=way), np.float32)
