"""Pieces of which none is sure, and what a second detector says of them."""

from pathlib import Path

import numpy as np
import pytest

from models import load_manifest
from vision.candidate import Calibration, Candidate
from vision.classify.dice import Face
from vision.detect.boxes import Detection
from vision.one_table import OneTable
from vision.photo import load
from vision.witness import Witness

BARE = np.full((480, 640, 3), (60, 110, 70), np.uint8)


@pytest.fixture(scope="module")
def witness() -> Witness:
    return Witness(load_manifest()["witness"])


def die(left: float, top: float, side: float, other: float = 0.3, profile: str = "") -> Candidate:
    face = Face(other, (0.99, *[0.002] * 5), profile=profile)
    return Candidate(Detection(left, top, left + side, top + side, 0.6), face, Calibration())


DOUBTED, SURE = die(200, 200, 60), die(400, 200, 60, other=0.0001)


def asked(witness: Witness, picture: np.ndarray, *found: Candidate) -> list[Candidate]:
    return [*witness.confirmed(picture, OneTable(found)).candidates]


def test_what_counts_but_nobody_else_sees_counts_no_more(witness: Witness):
    assert DOUBTED.is_piece
    assert DOUBTED.confidence < 0.9
    (after,) = asked(witness, BARE, DOUBTED)
    assert not after.is_piece
    assert after.face == DOUBTED.face


def test_what_both_see_stays_as_it_is(witness: Witness):
    throw = load(Path("docs/sample-throw.jpg")).pixels
    scale = throw.shape[1] / 1600
    six = die(730 * scale, 270 * scale, 225 * scale)
    assert asked(witness, throw, six) == [six]


def test_a_small_die_that_is_plain_from_nearer_is_seen(witness: Witness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(witness._detector, "detect", lambda *_, **__: [])
    throw = load(Path("docs/sample-throw.jpg")).pixels
    scale = throw.shape[1] / 1600
    far = np.full((throw.shape[0] * 3, throw.shape[1] * 3, 3), (90, 70, 50), np.uint8)
    far[: throw.shape[0], : throw.shape[1]] = throw
    six, nothing = die(730 * scale, 270 * scale, 225 * scale), die(3000 * scale, 2600 * scale, 225 * scale)
    assert [each.is_piece for each in asked(witness, far, six, nothing)] == [True, False]


@pytest.mark.parametrize(
    "found",
    [[DOUBTED, SURE], [die(200, 200, 60, profile="dragons")], [die(200, 200, 60, other=0.9)], []],
    ids=["one is sure", "one that a profile knows", "nothing counts", "nothing"],
)
def test_nobody_is_asked(witness: Witness, found: list[Candidate], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(witness._detector, "detect", lambda *_, **__: pytest.fail("it was asked"))
    assert asked(witness, BARE, *found) == found
