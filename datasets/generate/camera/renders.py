"""Degrades a render as a phone, a webcam or a messenger would. No piece moves: the labels stay valid."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageFilter

from datasets.generate.camera.effects import (
    Picture,
    Rng,
    balanced,
    colourless,
    corner_light,
    exposed,
    grain_strength,
    hazy,
)


def degrade(rng: Rng, image: Image.Image) -> Image.Image:
    """The picture as a poor camera would record it, of the same size.

    First the lens (blur, motion blur, colour fringes, vignetting), then the sensor (exposure, white
    balance, noise), then the software (smoothing, sharpening), then the transfer (rescaling, JPEG).
    """
    pixels = _lens(rng, image)
    pixels = _sensor(rng, pixels)
    image = _software(rng, Image.fromarray((pixels.clip(0, 1) * 255).round().astype(np.uint8)))
    return _wire(rng, image)


def _lens(rng: Rng, image: Image.Image) -> Picture:
    if rng.random() < 0.25:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.6)))
    pixels: Picture = np.asarray(image, np.float32) / np.float32(255)
    if rng.random() < 0.08:
        pixels = _shaken(rng, pixels)
    if rng.random() < 0.15:
        pixels = _fringed(rng, pixels)
    if rng.random() < 0.35:
        height, width = pixels.shape[:2]
        pixels = pixels * corner_light(height, width, rng.uniform(0.1, 0.55))
    return pixels


def _sensor(rng: Rng, pixels: Picture) -> Picture:
    if rng.random() < 0.7:
        pixels = exposed(pixels, rng.uniform(0.25, 0.65), 0, 4)
    pixels = balanced(rng, pixels, 0.07)
    if rng.random() < 0.04:
        pixels = colourless(pixels)
    if rng.random() < 0.08:
        pixels = hazy(rng, pixels)
    if rng.random() < 0.06:
        pixels = pixels * np.float32(rng.uniform(0.25, 0.6))
    return _noisy(rng, pixels)


def _noisy(rng: Rng, pixels: Picture) -> Picture:
    """Shot noise that grows with the root of the light, and blotches of colour as from small sensors at night."""
    shot = np.sqrt(0.3 + pixels.clip(0, 1))
    pixels = pixels + shot.astype(np.float32) * rng.normal(0, grain_strength(rng), pixels.shape).astype(np.float32)
    if rng.random() < 0.12:
        height, width = pixels.shape[:2]
        coarse = rng.normal(0, 128 * rng.uniform(0.02, 0.08), (height // 4, width // 4, 3))
        coarse -= coarse.mean(2, keepdims=True)
        blotches = Image.fromarray((coarse + 128).clip(0, 255).astype(np.uint8)).resize((width, height))
        pixels = pixels + (np.asarray(blotches, np.float32) - np.float32(128)) / np.float32(255)
    return np.asarray(pixels, np.float32)


def _software(rng: Rng, image: Image.Image) -> Image.Image:
    if rng.random() < 0.12:  # a denoiser that smears fine detail
        image = image.filter(ImageFilter.MedianFilter(3 if rng.random() < 0.8 else 5))
    if rng.random() < 0.3:  # sharpened until edges get halos
        sharp = ImageFilter.UnsharpMask(rng.uniform(0.8, 2.5), int(rng.uniform(40, 200)), int(rng.integers(0, 4)))
        image = image.filter(sharp)
    return image


def _wire(rng: Rng, image: Image.Image) -> Image.Image:
    way = rng.choice(["photo", "webcam", "screen"], p=[0.84, 0.08, 0.08])
    if way == "photo":
        image = _jpeg(image, int(rng.choice([35, 60, 75, 85, 92, 95])))
        return _jpeg(image, int(rng.integers(40, 90))) if rng.random() < 0.15 else image
    full, factor = image.size, rng.uniform(0.4, 0.6) if way == "webcam" else rng.uniform(0.6, 0.9)
    small = image.resize((round(full[0] * factor), round(full[1] * factor)), Image.Resampling.BILINEAR)
    small = _jpeg(small, int(rng.integers(45, 85) if way == "webcam" else rng.integers(15, 45)))
    return small.resize(full, Image.Resampling.BICUBIC)


def as_jpeg(image: Image.Image, quality: int) -> bytes:
    """The picture as a JPEG file."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _jpeg(image: Image.Image, quality: int) -> Image.Image:
    return Image.open(io.BytesIO(as_jpeg(image, quality))).convert("RGB")


def _shaken(rng: Rng, pixels: Picture) -> Picture:
    """Motion blur along a line; the line's centre is the true position."""
    turn, length = rng.uniform(0, np.pi), rng.uniform(2, 7)
    steps = np.linspace(-length / 2, length / 2, 7)
    moved = [_moved(pixels, round(s * np.sin(turn)), round(s * np.cos(turn))) for s in steps]
    return np.asarray(np.mean(moved, axis=0), np.float32)


def _moved(pixels: Picture, down: int, right: int) -> Picture:
    room = max(abs(down), abs(right))
    height, width = pixels.shape[:2]
    wide = np.pad(pixels, ((room, room), (room, room), (0, 0)), mode="edge")
    return wide[room - down : room - down + height, room - right : room - right + width]


def _fringed(rng: Rng, pixels: Picture) -> Picture:
    """Chromatic aberration: red slightly larger and blue slightly smaller than green, or the other way round."""
    height, width = pixels.shape[:2]
    out, by = pixels.copy(), rng.uniform(-0.004, 0.004)
    for channel, scale in ((0, 1 + by), (2, 1 - by)):
        grey = Image.fromarray(pixels[..., channel], "F")
        frame = (scale, 0, width / 2 * (1 - scale), 0, scale, height / 2 * (1 - scale))
        scaled = grey.transform(grey.size, Image.Transform.AFFINE, frame, Image.Resampling.BILINEAR)
        inside = np.asarray(scaled, np.float32)
        rim = max(2, int(abs(by) * max(width, height)) + 1)
        out[rim:-rim, rim:-rim, channel] = inside[rim:-rim, rim:-rim]
    return out
