"""What the chances of the reader of dice say, and how crops are cut."""

import cv2
import numpy as np
import pytest

from datasets.generate.drawn.dice import OTHER, draw_class
from models import load_manifest
from vision.classify.crop_network import crop, softmax
from vision.classify.dice import (
    CLASSES,
    MARGIN,
    ONLY_D12,
    PHOTOGRAPHED,
    PLAIN,
    SIDE,
    VIEWS,
    DiceReader,
    dice_network,
    face_of,
    odds_of_twelve,
    with_numerals,
)
from vision.classify.marks import MarkReader
from vision.detect.boxes import Detection


def chances(**given: float) -> np.ndarray:
    """Chances of `CLASSES` by name, `_` for a blank; what is not given is shared out evenly."""
    named = {name.replace("_", " "): chance for name, chance in given.items()}
    rest = (1 - sum(named.values())) / (len(CLASSES) - len(named))
    return np.array([named.get(name, rest) for name in CLASSES])


def test_a_die_with_pips_is_read_and_the_chance_that_it_is_none_is_what_is_left():
    face = face_of(chances(pip_5=0.8, pip_6=0.1, nothing=0.05, other=0.03))
    assert (face.kind, face.ranked[0][0], face.ranked[1][0]) == ("d6", 5, 6)
    assert sum(face.values) == pytest.approx(1)
    assert face.other == pytest.approx(0.1, abs=0.02)


def test_a_twelve_sided_die_has_twelve_values():
    face = face_of(chances(d12_11=0.9))
    assert (face.kind, face.ranked[0][0], len(face.values)) == ("d12", 11, 12)


def test_in_a_game_of_pip_dice_a_twelve_sided_die_is_another_die():
    face = face_of(chances(d12_11=0.9, pip_1=0.02), ("d6",))
    assert face.kind == "d6"
    assert face.other > 0.9


def numerals(other: float, **values: float) -> np.ndarray:
    """Chances of the network of numerals: other, and `n12` for a 12; the rest is shared out evenly."""
    given = {int(name[1:]): chance for name, chance in values.items()}
    rest = (1 - other - sum(given.values())) / (12 - len(given))
    return np.array([other, *(given.get(value, rest) for value in range(1, 13))])


def test_a_die_is_twelve_sided_if_either_network_is_sure_and_the_other_does_not_object():
    first = np.array([chances(other=0.6, d12_5=0.3), chances(other=0.6, d12_5=0.3), chances(other=0.05, d12_5=0.9)])
    second = np.array([numerals(0.02, n5=0.9), numerals(0.9, n5=0.05), numerals(0.3, n7=0.6)])
    faces = [face_of(row) for row in with_numerals(first, second, 0.3)]
    assert [face.other < 0.5 for face in faces] == [True, False, True]
    assert [(face.kind, face.ranked[0][0]) for face in (faces[0], faces[2])] == [("d12", 5), ("d12", 7)]


def test_a_network_that_says_what_it_would_without_looking_leaves_the_odds_of_the_first():
    first = np.array([chances(other=0.4, d12_2=0.5)])
    odds = odds_of_twelve(first, np.array([numerals(0.3)]), 0.3)
    assert odds == pytest.approx(first[:, 8:].sum(1) / 0.4)


def test_a_die_without_pips_is_likelier_twelve_sided_than_both_networks_say():
    first, second = np.array([chances(other=0.6, d12_2=0.3)]), np.array([numerals(0.5)])
    after = with_numerals(first, second, 0.3)
    assert after[0, 8:].sum() / after[0, 1] == pytest.approx(PHOTOGRAPHED * odds_of_twelve(first, second, 0.3)[0])
    assert after[0, :8].sum() - after[0, 1] == pytest.approx(first[0, :8].sum() - first[0, 1])
    assert after.sum() == pytest.approx(1)


def test_where_twelve_sided_dice_are_played_with_a_die_without_pips_is_likelier_one_of_them():
    manifest = load_manifest()
    reader = DiceReader(manifest, MarkReader(manifest["marks"]))
    rng = np.random.default_rng(5)
    drawn = [draw_class(rng, OTHER)[0] for _ in range(8)]
    reach = SIDE / MARGIN / 2
    box = Detection(SIDE / 2 - reach, SIDE / 2 - reach, SIDE / 2 + reach, SIDE / 2 + reach, 0.9)
    crops = [(picture, box) for picture in drawn]
    without, played = (reader.read(crops, ONLY_D12, twelves=known) for known in (False, True))
    assert all(one.other >= other.other for one, other in zip(without, played, strict=True))
    assert sum(one.other for one in without) > sum(other.other for other in played)
    assert [face.values for face in without] == [pytest.approx(face.values) for face in played]
    for face in (*without, *played):  # it takes more evidence before nobody is asked to look
        assert face.unsure > face.other


def test_what_is_no_numeral_stays_as_likely_as_it_was():
    first = np.array([chances(pip_1=0.5, nothing=0.2, other=0.1, d12_1=0.1)])
    after = with_numerals(first, np.array([numerals(0.001, n1=0.99)]), 0.3)[0]
    assert after[[0, *range(2, 8)]] == pytest.approx(first[0, [0, *range(2, 8)]])
    assert after.sum() == pytest.approx(1)


def test_chances_add_up_however_large_the_logits_are():
    assert softmax(np.array([[1000.0, 999.0], [-5.0, 5.0]], np.float32)).sum(1) == pytest.approx([1, 1])


def test_a_crop_shows_the_box_with_its_margin_in_the_middle():
    picture = np.zeros((400, 400, 3), np.uint8)
    picture[150:250, 150:250] = 255
    cut = crop(picture, Detection(150, 150, 250, 250, 0.9), (1.0, 0.0), SIDE, MARGIN)
    assert cut.shape == (SIDE, SIDE, 3)
    across = (cut[SIDE // 2, :, 0] > 128).sum()
    assert across == pytest.approx(SIDE / MARGIN, abs=2)


def test_what_lies_outside_the_picture_is_grey():
    cut = crop(np.zeros((100, 100, 3), np.uint8), Detection(0, 0, 50, 50, 0.9), (1.0, 0.0), SIDE, MARGIN)
    assert cut[0, 0].tolist() == [114, 114, 114]
    assert cut[-1, -1].tolist() == [0, 0, 0]


def test_a_box_that_is_plain_in_its_first_view_is_not_looked_at_in_the_others():
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 255, (300, 300, 3), np.uint8)
    one, five = np.full((300, 300, 3), 60, np.uint8), np.full((300, 300, 3), 60, np.uint8)
    for picture, places in ((one, [(150, 150)]), (five, [(120, 120), (180, 120), (150, 150), (120, 180), (180, 180)])):
        cv2.rectangle(picture, (100, 100), (200, 200), (240, 240, 235), -1)
        for place in places:
            cv2.circle(picture, place, 10, (10, 10, 10), -1, cv2.LINE_AA)
    boxes = [(picture, Detection(100, 100, 200, 200, 0.9)) for picture in (noise, one, five, one[:, :260], five[40:])]
    network = dice_network(load_manifest()["dice"])

    first = network.look([crop(*box, VIEWS[0], SIDE, MARGIN) for box in boxes], 1)
    every, until_plain = network.seen(boxes), network.seen_until_plain(boxes, PLAIN)

    plain = first.chances.max(1) >= PLAIN
    assert plain.any()
    for parts in zip((until_plain.chances, *until_plain.features), (first.chances, *first.features), strict=True):
        np.testing.assert_allclose(parts[0][plain], parts[1][plain], atol=1e-4)
    for parts in zip((until_plain.chances, *until_plain.features), (every.chances, *every.features), strict=True):
        np.testing.assert_allclose(parts[0][~plain], parts[1][~plain], atol=1e-4)
    all_plain = network.seen_until_plain(boxes, 0.0)
    np.testing.assert_allclose(all_plain.chances, first.chances, atol=1e-4)
    np.testing.assert_allclose(network.seen_until_plain(boxes, 1.1).chances, every.chances, atol=1e-4)
