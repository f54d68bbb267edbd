import itertools
import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.generate.composite.__main__ import main
from datasets.generate.composite.backgrounds import OTHER_DIE, Ground, from_photo
from datasets.generate.composite.boxes import Block, Canvas, Light, silhouette
from datasets.generate.composite.camera import Camera, camera
from datasets.generate.composite.drawing import cast, draw
from datasets.generate.composite.labels import dice_labels, look_alike_label, shown, tile_label, top_face
from datasets.generate.composite.plugs import button, plug, socket
from datasets.generate.composite.scenes import kept, scene
from datasets.generate.composite.tiles import block as tile_block
from datasets.generate.composite.tiles import look
from datasets.generate.parts.layouts.chains import walk
from datasets.generate.parts.layouts.spots import Deck, Spot, collides, deck
from datasets.labels import photos

STRAIGHT = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], float)
GREY = np.full(3, 0.25, np.float32)


def above(height: float = 20.0) -> Camera:
    """Straight above the middle of a picture of 200 x 160 px, 10 px to a tile's width on the table."""
    return Camera(np.array([0, 0, height]), STRAIGHT, 10 * height, np.array([100.0, 80.0]))


def canvas(eye: Camera) -> Canvas:
    light = Light(np.array([0.6, 0, 0.8]), 0.6, np.ones(3, np.float32), 0.1)
    pixels = np.full((160, 200, 3), 0.5, np.float32)
    return Canvas(pixels, np.zeros((160, 200), np.int16), eye, light, np.zeros((160, 200), np.float32))


def tile(spot: Spot, face: np.ndarray | None = None, thick: float = 0.4) -> Block:
    face = np.broadcast_to(GREY, (20, 40, 3)).copy() if face is None else face
    return Block((spot.x, spot.y, spot.storey * thick), spot.turn, (2, 1, thick), 0.1, face, GREY, GREY)


def pictured(folder, count: int = 4):
    """The beginnings of a photo folder: some noisy photos, each with one die."""
    rng, found = np.random.default_rng(0), []
    for k in range(count):
        path = folder / f"{k}.jpg"
        cv2.imwrite(str(path), rng.integers(90, 160, (300, 400, 3), np.uint8))
        found.append(photos.Labelled(path, "made up", (photos.Box(150, 100, 200, 150, 5),)))
    return tuple(found)


def test_the_camera_sees_the_table_the_right_way_round():
    """East is right and north is up; were it mirrored, no real tile would look like it."""
    points = above().project(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float))
    assert points.tolist() == [[100, 80], [110, 80], [100, 70]]


def test_the_homography_of_the_table_agrees_with_the_projection():
    rng = np.random.default_rng(3)
    eye = camera(rng, (640, 480), [Spot(0, 0, 0, (1, 2)), Spot(3, 1, 1, (2, 2))], 2.0)
    flat = rng.normal(0, 1, (6, 2))
    raised = np.column_stack([flat, np.zeros(6)])
    warped = cv2.perspectiveTransform(flat[None].astype(np.float64), eye.plane())[0]
    np.testing.assert_allclose(warped, eye.project(raised), rtol=1e-6)
    assert eye.eye[2] > 0
    assert (eye.depth(raised) > 0).all()


@pytest.mark.parametrize("turn", [0.0, 1.0, 2.5, 4.4])
def test_the_first_end_lies_between_corners_0_and_3(turn):
    """A face red on its left half: the red must show where the label says that the first end is."""
    face = np.zeros((20, 40, 3), np.float32)
    face[:, :20, 0] = 1
    sheet, block = canvas(above()), tile(Spot(0, 0, turn, (1, 2)), face)
    draw(sheet, block, 1, 0.0)
    quad = top_face(sheet.camera, block)
    assert math.dist(quad[0], quad[1]) > 1.5 * math.dist(quad[1], quad[2])
    first, second = (quad[0] + quad[3]) * 0.35 + (quad[1] + quad[2]) * 0.15, quad.mean(0) * 2 - quad[[0, 3]].mean(0)
    second = quad.mean(0) + (second - quad.mean(0)) * 0.5
    assert sheet.pixels[round(first[1] - 0.5), round(first[0] - 0.5), 0] > 0.5
    assert sheet.pixels[round(second[1] - 0.5), round(second[0] - 0.5), 0] < 0.1


def before(up: float, away: float = 20.0) -> Camera:
    """Looks north, at the middle of the table from `up` degrees over it, 20 px to a tile's width there."""
    high = math.radians(up)
    axes = np.array([[1, 0, 0], [0, -math.sin(high), -math.cos(high)], [0, math.cos(high), -math.sin(high)]])
    return Camera(-away * axes[2], axes, 20 * away, np.array([100.0, 80.0]))


@pytest.mark.parametrize("pose", ["standing", "upright"])
@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_a_standing_tile_shows_its_pips_in_front_where_the_label_says(pose, lean):
    """A front red on the tile's first half; it stands in the middle of the table, before a camera that looks along it."""
    sheet, style = canvas(before(30)), look(np.random.default_rng(1), dark=False)
    spot = Spot(0, 0, 0, (1, 2), pose=pose, lean=lean)
    block = standing(np.random.default_rng(1), style, spot)
    halves = np.split(block.front, 2, axis=0 if pose == "upright" else 1)
    halves[0][:], halves[1][:] = (1, 0, 0), (0, 0, 1)
    draw(sheet, block, 1, 0.0)
    label = tile_label(sheet, style, spot, block, 1)
    assert label is not None
    assert (label["ends"], label["face_up"]) == ([1, 2], True)
    quad = np.array(label["quad"])
    assert math.dist(quad[0], quad[1]) > 1.3 * math.dist(quad[1], quad[2])
    first = (quad[[0, 3]].mean(0) * 3 + quad[[1, 2]].mean(0)) / 4
    second = (quad[[1, 2]].mean(0) * 3 + quad[[0, 3]].mean(0)) / 4
    for (x, y), colour in ((first, 0), (second, 2)):
        assert sheet.pixels[round(y - 0.5), round(x - 0.5)].argmax() == colour
    assert cv2.contourArea(quad.astype(np.float32), oriented=True) > 0


def test_a_standing_tile_shows_no_pips_from_behind_or_from_above():
    style = look(np.random.default_rng(1), dark=False)
    for turn, pose, up in ((math.pi, "standing", 30), (0.0, "away", 30), (0.0, "standing", 88)):
        sheet, spot = canvas(before(up)), Spot(0, 0, turn, (1, 2), pose=pose)
        block = standing(np.random.default_rng(1), style, spot)
        draw(sheet, block, 1, 0.0)
        label = tile_label(sheet, style, spot, block, 1)
        assert label is not None
        assert label["ends"] == [None, None]
        assert label["face_up"] is False  # a numpy bool could not be written as JSON


def standing(rng, style, spot: Spot) -> Block:
    """A tile on an edge, with a front of its own to paint on."""
    made = tile_block(rng, style, spot, 20.0, canvas(above()).light)
    assert made.front is not None
    return replace(made, front=made.front.copy())


def test_a_tile_half_under_another_is_labelled_so():
    sheet, style = canvas(above()), look(np.random.default_rng(1), dark=False)
    spots = [Spot(0, 0, 0, (1, 2)), Spot(1, 0, 0, (3, 4), storey=1)]
    blocks = [tile(spot) for spot in spots]
    for owner, block in enumerate(blocks, 1):
        draw(sheet, block, owner, 0.0)
    under, over = (tile_label(sheet, style, s, b, i) for i, (s, b) in enumerate(zip(spots, blocks, strict=True), 1))
    assert under is not None
    assert over is not None
    assert under["hidden"] == pytest.approx(0.5, abs=0.1)
    assert under["top_seen"] == pytest.approx(0.5, abs=0.1)
    assert (over["hidden"], over["top_seen"]) == (0, 1)
    assert under["box"][2] <= over["box"][0] + 2


def test_a_tile_cut_by_the_border_has_its_box_in_the_picture_and_its_quad_whole():
    sheet, style = canvas(above()), look(np.random.default_rng(1), dark=False)
    block = tile(Spot(-10, 0, 0, (1, 2)))
    draw(sheet, block, 1, 0.0)
    label = tile_label(sheet, style, Spot(-10, 0, 0, (1, 2)), block, 1)
    assert label is not None
    assert label["box"][0] == 0
    assert min(x for x, _ in label["quad"]) < -5
    assert label["hidden"] == pytest.approx(0.5, abs=0.1)


def test_the_box_holds_the_flanks_too():
    """Seen from the side at the picture's edge, a tall tile's foot shows below its face."""
    sheet = canvas(above(6))
    block = tile(Spot(-4, 0, 0, (1, 2)), thick=0.5)
    _, box = shown(sheet, silhouette(sheet.camera, block), 0)
    face = top_face(sheet.camera, block)
    assert box[2] > face[:, 0].max() + 1


def test_a_shadow_falls_away_from_the_lamp():
    sheet = canvas(above())
    cast(sheet, [tile(Spot(0, 0, 0, (1, 2)))], 0.0)
    assert sheet.pixels[80, 88, 0] < 0.45
    assert sheet.pixels[80, 113, 0] > sheet.pixels[80, 87, 0]


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_matches_and_does_not_cross_itself(seed):
    rng = np.random.default_rng(seed)
    found = walk(rng, deck(rng, 6, 2.0), 15, corner=0.4, crosswise=True)
    assert all(a.ends[1] == b.ends[0] for a, b in itertools.pairwise(found))
    assert not any(collides(spot, found[:i], 2.0) for i, spot in enumerate(found))
    assert len({tuple(sorted(spot.ends)) for spot in found}) == len(found)


def test_a_deck_gives_the_end_that_is_asked_for():
    tiles = Deck(np.random.default_rng(0), [(2, 3), (4, 6)], 2.0)
    assert tiles.take(6) == (6, 4)
    assert tiles.tiles == [(2, 3)]


@pytest.mark.parametrize("seed", range(8))
def test_labels_of_a_turned_photo_move_along(seed, tmp_path):
    """A bright square on black: wherever photo and cut put it, the box must be around it."""
    image = np.zeros((300, 400, 3), np.uint8)
    image[100:150, 150:200] = 255
    cv2.imwrite(str(tmp_path / "a.png"), image)
    source = photos.Labelled(tmp_path / "a.png", "made up", (photos.Box(150, 100, 200, 150, 5),))
    ground = from_photo(np.random.default_rng(seed), source)
    y, x = np.nonzero(ground.pixels[..., 0] > 0.3)
    np.testing.assert_allclose(ground.boxes[0], (x.min(), y.min(), x.max() + 1, y.max() + 1), atol=1.5)


def test_tiles_do_not_cover_the_dice_of_the_photo():
    sheet, style = canvas(above()), look(np.random.default_rng(1), dark=False)
    ground = Ground(sheet.pixels, np.array([[95.0, 75, 105, 85]]), (3,), drawn=False)
    spots = [Spot(0, 0, 0, (1, 2)), Spot(5, 0, 0, (2, 3))]
    found = [kept(np.random.default_rng(seed), sheet, ground, style, spots) for seed in range(10)]
    assert all(some == spots[1:] for some in found)


def test_a_die_under_a_tile_grows_hidden():
    sheet = canvas(above())
    sheet.owner[75:80, 95:105] = 1
    label = dice_labels(sheet, Ground(sheet.pixels, np.array([[95.0, 75, 105, 85]]), (3,), 80.0))[0]
    assert (label["hidden"], label["value"], label["kind"]) == (0.5, 3, "d6")


def test_another_die_in_the_photo_is_labelled_as_one_and_has_no_value():
    sheet = canvas(above())
    ground = Ground(sheet.pixels, np.array([[95.0, 75, 105, 85], [5, 5, 15, 15]]), (OTHER_DIE, 0), 80.0)
    (label,) = dice_labels(sheet, ground)
    assert (label["kind"], label["value"], label["box"]) == ("other die", None, [95.0, 75.0, 105.0, 85.0])


@pytest.mark.parametrize("make", [plug, button, socket])
def test_what_has_holes_lies_on_the_table_where_it_was_put(make):
    for seed in range(20):
        things = make(np.random.default_rng(seed), (3.0, 2.0))
        assert things[0].foot == (3.0, 2.0, 0.0)
        long, wide, high = things[0].size
        assert 0.5 < long / wide < 2
        assert 0 < high < wide
        assert things[0].face.std() > 0, "there is something on it"


def test_of_what_has_holes_the_part_that_passes_for_a_die_is_labelled():
    sheet = canvas(above())
    (thing,) = button(np.random.default_rng(1), (0.0, 0.0))
    assert look_alike_label(sheet, thing, 1) is None, "nothing of it shows"
    draw(sheet, thing, 1, 0.0)
    label = look_alike_label(sheet, thing, 1)
    assert (label["kind"], label["hidden"]) == ("other", 0)
    left, top, right, bottom = label["box"]
    drawn = np.argwhere(sheet.owner == 1)
    assert np.abs(drawn.min(0) - (top, left)).max() < 3
    assert np.abs(drawn.max(0) - (bottom, right)).max() < 3


def test_scenes_have_labels_in_the_picture_and_repeat_by_seed(tmp_path):
    sources = pictured(tmp_path)
    kinds = set()
    for seed in range(20, 32):
        picture, labels = scene(np.random.default_rng(seed), sources)
        again, labels_again = scene(np.random.default_rng(seed), sources)
        np.testing.assert_array_equal(picture, again)
        assert labels == labels_again
        height, width = picture.shape[:2]
        for label in labels:
            left, top, right, bottom = label["box"]
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
            assert 0 <= label["hidden"] <= 1
            kinds.add(label["kind"])
    assert kinds == {"d6", "d12", "other die", "domino", "other"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose photos are made up."""
    sources = list(pictured(tmp_path))
    monkeypatch.setattr(photos, "load", lambda _: sources)
    return tmp_path


def test_the_command_goes_on_where_it_stopped(folder):
    out = folder / "out"
    command = ["--photos", str(folder), "--seed", "7", "--out", str(out), "--processes", "1", "--count"]
    main([*command, "3"])
    first = {path.name: path.read_bytes() for path in out.glob("*/*")}
    assert sorted(first) == sorted(f"7_00000{k}.{kind}" for k in range(3) for kind in ("jpg", "json"))
    (out / "labels" / "7_000001.json").unlink()
    (out / "images" / "7_000000.jpg").write_bytes(b"kept")
    main([*command, "4"])
    again = {path.name: path.read_bytes() for path in out.glob("*/*")}
    assert again.pop("7_000000.jpg") == b"kept"
    assert all(again[name] == content for name, content in first.items() if name != "7_000000.jpg")
    assert "7_000003.json" in again


def test_a_label_file_tells_the_size_of_its_picture(folder):
    main(["--photos", str(folder), "--count", "2", "--out", str(folder), "--processes", "1"])
    for path in (folder / "labels").glob("*.json"):
        label = json.loads(path.read_text())
        image = cv2.imread(str(folder / "images" / f"{path.stem}.jpg"))
        assert image is not None
        assert image.shape[:2] == (label["height"], label["width"])
