"""Little films of a table, drawn from the sample photos: dice are thrown, hands reach in, the lamp is switched.

Everything that a watcher must tell apart, at 20 frames a second and 320 x 240 pixels, with the grain of a webcam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.photo import Pixels
from vision.reading import Point
from vision.watch.watcher import Frame

DOCS = Path(__file__).parents[3] / "docs"
WIDTH, HEIGHT = 320, 240
FPS = 20
SIDE = 26
"""Pixels of a die."""
_OUTLINES = {
    1: ((377, 187), (455, 194), (443, 270), (371, 262)),
    2: ((220, 111), (278, 150), (240, 199), (188, 160)),
    3: ((375, 274), (418, 322), (368, 365), (328, 320)),
    5: ((247, 198), (320, 212), (304, 290), (229, 270)),
    6: ((292, 124), (364, 110), (382, 185), (310, 202)),
}
"""Of dice in the sample throw, in 640 x 480."""
BURNT = 0
"""Shown by a die whose top is burnt out: a lamp shines on it."""
_SKIN = (206, 158, 128)

Layer = NDArray[np.float32]


@dataclass(frozen=True)
class PlacedDie:
    """A die: what it shows, where its middle lies, and how it is turned (degrees)."""

    value: int
    x: float
    y: float
    turn: float = 0.0

    def to(self, x: float, y: float) -> PlacedDie:
        return replace(self, x=x, y=y)


@cache
def _sample() -> Pixels:
    with Image.open(DOCS / "sample-throw.jpg") as image:
        return np.asarray(image.convert("RGB"))


@cache
def _wood() -> Layer:
    half = _sample()[:, 1160:1600]
    whole = np.hstack([half, half[:, ::-1]])
    return cv2.resize(whole[100 : 100 + 660], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)


@cache
def _die(value: int) -> tuple[Layer, Layer]:
    """A die cut from the sample, and where it covers."""
    if value == BURNT:
        part, cover = _die(5)
        glare = cv2.GaussianBlur(cv2.erode(cover, np.ones((31, 31))), (0, 0), 8)[..., None]
        return part * (1 - glare) + 250 * glare, cover
    outline = np.array(_OUTLINES[value]) * 2.5
    x, y = outline.mean(0).round().astype(int)
    part = _sample()[y - 150 : y + 150, x - 150 : x + 150]
    corners = (outline - (x - 150, y - 150)).round().astype(np.int32)
    return part.astype(np.float32), cv2.fillConvexPoly(np.zeros(part.shape[:2], np.float32), corners, 1.0)


def _lay(picture: Layer, die: PlacedDie, size: float = 1.0) -> None:
    part, cover = _die(die.value)
    scale = SIDE / 220 * size
    matrix = cv2.getRotationMatrix2D((150, 150), die.turn, scale)
    matrix[:, 2] += np.array([die.x, die.y]) - 150
    blurred = cv2.GaussianBlur(part, (0, 0), 0.4 / scale)
    over = cv2.warpAffine(cv2.GaussianBlur(cover, (0, 0), 0.4 / scale), matrix, (WIDTH, HEIGHT))[..., None]
    picture[:] = picture * (1 - over) + cv2.warpAffine(blurred, matrix, (WIDTH, HEIGHT)) * over


def _reach_in(picture: Layer, tip: Point) -> None:
    """A hand from the lower edge, its fingers at the tip."""
    x, y = tip
    shape = np.zeros(picture.shape[:2], np.float32)
    cv2.line(shape, (int(x), int(y + 60)), (int(x + 24), HEIGHT + 60), 1.0, 56)
    cv2.circle(shape, (int(x), int(y + 44)), 42, 1.0, -1)
    for finger in (-28, -10, 10, 26):
        cv2.line(shape, (int(x + finger), int(y + 30)), (int(x + finger * 0.7), int(y - 18)), 1.0, 14)
    over = cv2.GaussianBlur(shape, (0, 0), 1.0)[..., None]
    shade = 1 - 0.25 * np.roll(cv2.GaussianBlur(shape, (0, 0), 8.0), (8, 8), (0, 1))[..., None]
    picture[:] = picture * shade * (1 - over) + np.array(_SKIN, np.float32) * over


class Film:
    """A film in the making: each method adds what it shows. `dice` is what lies on the table now."""

    def __init__(self, seed: int = 1, noise: float = 2.5) -> None:
        """`noise`: the standard deviation of every pixel, of 255."""
        self._noise = noise
        self.dice: list[PlacedDie] = []
        self.frames: list[Pixels] = []
        self._random = np.random.default_rng(seed)
        self._light: Callable[[], Layer | float] = lambda: 1.0
        self._shift = (0.0, 0.0)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(pixels, i, i / FPS) for i, pixels in enumerate(self.frames))

    def add(self, moving: tuple[PlacedDie, ...] = (), hand: Point | None = None, above: bool = False) -> None:
        picture = _wood().copy()
        for die in self.dice:
            _lay(picture, die)
        for die in moving:
            _lay(picture, die, 1.15 if above else 1.0)
        if hand is not None:
            _reach_in(picture, hand)
        picture = picture * self._light()
        matrix = np.array([[1, 0, self._shift[0]], [0, 1, self._shift[1]]], np.float32)
        picture = cv2.warpAffine(picture, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
        picture += self._random.normal(0, self._noise, picture.shape).astype(np.float32)
        self.frames.append(np.clip(picture, 0, 255).astype(np.uint8))

    def rest(self, seconds: float = 0.8) -> Film:
        for _ in range(round(seconds * FPS)):
            self.add()
        return self

    def throw(self, *dice: PlacedDie, seconds: float = 0.7) -> Film:
        """Dice roll in from the right edge, turning over."""
        steps = round(seconds * FPS)
        for step in range(steps):
            left = (1 - (step + 1) / steps) ** 2
            self.add(tuple(self._on_its_way(die, left) for die in dice), above=True)
        self.dice += dice
        return self

    def _on_its_way(self, die: PlacedDie, left: float) -> PlacedDie:
        value = die.value if left < 0.05 else int(self._random.choice(list(_OUTLINES)))
        return PlacedDie(value, die.x + 320 * left, die.y + 60 * left, die.turn + 700 * left)

    def reach(self, where: Point, then: Callable[[Point], None] | None = None, seconds: float = 0.4) -> Film:
        """A hand reaches in, does something, and goes back."""
        steps = round(seconds * FPS)
        for step in range(steps):
            self.add(hand=(where[0], where[1] + 200 * (1 - (step + 1) / steps)))
        if then is not None:
            then(where)
        for step in range(steps):
            self.add(hand=(where[0], where[1] + 200 * (step + 1) / steps))
        return self

    def pick_up(self, at: int) -> PlacedDie:
        """A hand takes a die away."""
        die = self.dice[at]
        self.reach((die.x, die.y), lambda _: self.dice.remove(die))
        return die

    def snatch(self, at: int, lands: PlacedDie) -> Film:
        """A hand takes a die and throws it at once, from so low that it lands under the hand."""
        die = self.dice[at]
        self.reach((die.x, die.y), lambda _: self.dice.remove(die), seconds=0.15)
        return self.reach((lands.x, lands.y), lambda _: self.dice.append(lands), seconds=0.15)

    def put_down(self, die: PlacedDie) -> Film:
        """A hand lays a die there."""
        return self.reach((die.x, die.y), lambda _: self.dice.append(die))

    def push(self, at: int, by: Point, becomes: int | None = None) -> Film:
        """A finger pushes a die, which may turn over."""
        die = self.dice[at]

        def pushing(_: Point) -> None:
            self.dice.remove(die)
            for step in range(6):
                part = (step + 1) / 6
                here = die.to(die.x + by[0] * part, die.y + by[1] * part)
                self.add((here,), hand=(here.x, here.y + 30))
            self.dice.append(replace(here, value=becomes or die.value))

        return self.reach((die.x, die.y + 30), pushing)

    def light(self, level: float, corner: float = 0.0) -> Film:
        """The lamp is switched: more light by so much, and by so much more towards the left."""
        self._light = lambda: level * np.linspace(1 + corner, 1, WIDTH, dtype=np.float32)[None, :, None]
        return self

    def bump(self, x: float, y: float) -> Film:
        """The camera is pushed, swings, and stays where it is."""
        for part in (0.5, 1.6, 0.6, 1.3, 1.0):
            self._shift = (x * part, y * part)
            self.add()
        return self
