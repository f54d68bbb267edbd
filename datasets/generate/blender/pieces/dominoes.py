"""Dominoes as they lie in play: scattered, in chains, in rows, piled, in racks and in hands.

A tile's own coordinates: its length along x, its width along y, its face at +z, the first end towards -x. Layouts are
made around the origin of the table, their front towards -y, and then moved to a place in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from datasets.generate.blender.materials import Stuff, is_plain
from datasets.generate.blender.table import Placed, Rng, Scene, under_pixel
from datasets.generate.parts import shapes, tile_faces
from datasets.generate.parts.drawings import any_colour

Floats = NDArray[np.float64]
Ends = tuple[int, int]
Flat = tuple[float, float, float]
"""A tile lying on the table: its centre, and the direction of its length."""
FACE, BACK = 0, 1
QUARTER = math.pi / 2


@dataclass
class _Kit:
    """A set of tiles: one look, one size (length, width, thickness), and the tiles not laid yet."""

    rng: Rng
    style: tile_faces.Style
    size: tuple[float, float, float]
    radius: float
    bag: list[Ends]
    plain: bool
    """Everything of one colour, smooth and opaque."""

    def draw(self, fits: Callable[[Ends], bool] = lambda _: True) -> Ends | None:
        """Take a random tile that fits, in either orientation, from the bag; None if there is none."""
        found = next((tile for tile in self.bag if fits(tile)), None)
        if found is None:
            return None
        self.bag.remove(found)
        return found if self.rng.random() < 0.5 else found[::-1]


@dataclass
class _Prop:
    """Something that holds tiles: a mesh and its material."""

    vertices: Sequence[Sequence[float]]
    faces: Sequence[Sequence[int]]
    stuff: Stuff


@dataclass
class _Group:
    """Tiles laid together around the origin. `facing`: turn the front (-y) towards the camera."""

    tiles: list[tuple[Matrix, Ends]] = field(default_factory=list)
    props: list[_Prop] = field(default_factory=list)
    facing: bool = False


def strew(scene: Scene, count: int, spread: float, *, near: bool) -> None:
    """Lay at most `count` tiles of one set in one or a few layouts; `near`: prefer layouts in which tiles touch."""
    kit = _kit(scene)
    most = min(count, 28, len(kit.bag))
    laid: list[tuple[Matrix, Ends]] = []
    for _ in range(4):
        left = most - len(laid)
        if left == 0:
            break
        share = left if scene.rng.random() < 0.55 else math.ceil(left * scene.rng.uniform(0.4, 0.9))
        name = _layout(scene.rng, share, scene.recipe["standing"], near=near)
        if name == "scattered":
            laid += _scattered(scene, kit, share, spread, near=near)
        else:
            laid += _settle(scene, kit, _LAYOUTS[name](scene, kit, share), spread)
    if laid:
        _build(scene, kit, laid)


def _kit(scene: Scene) -> _Kit:
    rng = scene.rng
    most = int(rng.choice([6, 9, 12], p=[0.6, 0.22, 0.18]))
    # A tile that fills the picture is the largest that makes sense.
    width = min(rng.uniform(0.8, 1.3), 0.4 / scene.share)
    thick = width * rng.uniform(0.28, 0.5)
    bag = [(a, b) for a in range(most + 1) for b in range(a, most + 1)]
    order = rng.permutation(len(bag))
    size = (width * float(np.clip(rng.normal(1.97, 0.07), 1.8, 2.1)), width, thick)
    style, plain = tile_faces.tile_style(rng, most), is_plain(scene.recipe)
    return _Kit(
        rng,
        replace(style, grain="plain", pip="painted") if plain else style,
        size,
        min(0.42 * thick, width * rng.choice([rng.uniform(0.02, 0.05), rng.uniform(0.05, 0.16)])),
        [bag[i] for i in order],
        plain,
    )


def _layout(rng: Rng, count: int, standing: float, *, near: bool) -> str:
    """Choose a layout; `standing`: the probability of a player's own tiles."""
    if standing and count > 1 and rng.random() < standing:
        return "standing"
    weights = {"scattered": 0.16 if near else 0.38}
    if count > 1:
        weights |= {"chain": 0.3, "row": 0.12, "line": 0.06, "cross": 0.06, "pile": 0.09, "standing": 0.1}
        if count < 12:
            weights["hand"] = 0.05
    chances = np.array(list(weights.values()))
    return str(rng.choice(list(weights), p=chances / chances.sum()))


# Layouts


def _scattered(scene: Scene, kit: _Kit, count: int, spread: float, *, near: bool) -> list[tuple[Matrix, Ends]]:
    """Single tiles anywhere in the picture, some face down or on edge."""
    others, flats = list(scene.taken), list[Flat]()
    laid = []
    tidy = scene.rng.choice([0.0, 0.06, 9.0], p=[0.12, 0.13, 0.75])
    base = scene.rng.uniform(0, 2 * math.pi)
    for _ in range(count):
        flat = _spot(scene, kit, flats, others, spread, base + scene.rng.normal(0, tidy), near=near)
        tile = kit.draw()
        if flat is None or tile is None:
            continue
        flats.append(flat)
        scene.taken += _discs(kit, flat)
        laid.append((_any_pose(kit, flat), tile))
    return laid


def _spot(
    scene: Scene,
    kit: _Kit,
    flats: list[Flat],
    others: list[tuple[float, float, float]],
    spread: float,
    turn: float,
    *,
    near: bool,
) -> Flat | None:
    rng = scene.rng
    for _ in range(30):
        if near and flats:
            x, y, _turn = flats[rng.integers(len(flats))]
            way, gap = rng.uniform(0, 2 * math.pi), kit.size[1] * rng.uniform(1.0, 2.1)
            flat: Flat | None = (x + gap * math.cos(way), y + gap * math.sin(way), turn)
        else:
            spot = under_pixel(scene, *(rng.uniform(-0.5, 0.5, 2) * spread))
            flat = (*spot, turn) if spot else None
        if flat and _free(kit, flat, others) and not any(_overlap(kit, flat, other) for other in flats):
            return flat
    return None


def _any_pose(kit: _Kit, flat: Flat) -> Matrix:
    """Mostly face up; sometimes face down, on a long edge or on a short one."""
    x, y, turn = flat
    length, width, _ = kit.size
    chance = kit.rng.random()
    if chance < 0.06:
        on_end = chance < 0.02
        lift = length / 2 if on_end else width / 2
        upright = Matrix.Rotation(QUARTER, 4, "Y" if on_end else "X")
        return Matrix.Translation((x, y, lift)) @ Matrix.Rotation(turn, 4, "Z") @ upright
    return _lain(kit, flat, down=chance < 0.16)


def _lain(kit: _Kit, flat: Flat, height: float = 0.0, *, down: bool = False) -> Matrix:
    x, y, turn = flat
    at = Matrix.Translation((x, y, kit.size[2] / 2 + height)) @ Matrix.Rotation(turn, 4, "Z")
    return at @ Matrix.Rotation(math.pi, 4, "X") if down else at


@dataclass(frozen=True)
class _Head:
    """An open end of a chain: its position, its direction of growth, and the value it needs."""

    x: float
    y: float
    way: float
    value: int

    def past(self, ahead: float, aside: float, turn: float) -> Flat:
        """The place at a distance ahead and to the left of here, for a tile turned by `turn` from the direction."""
        c, s = math.cos(self.way), math.sin(self.way)
        return self.x + ahead * c - aside * s, self.y + ahead * s + aside * c, self.way + turn


def _chain(scene: Scene, kit: _Kit, count: int) -> _Group:
    """A game laid out: matching ends, doubles crosswise, corners."""
    return _follow_matching_ends(scene, kit, count, kit.draw(), cross=False)


def _cross(scene: Scene, kit: _Kit, count: int) -> _Group:
    """A game around a double with tiles at all four sides."""
    return _follow_matching_ends(scene, kit, count, kit.draw(lambda tile: tile[0] == tile[1]) or kit.draw(), cross=True)


def _follow_matching_ends(scene: Scene, kit: _Kit, count: int, start: Ends | None, *, cross: bool) -> _Group:
    rng, group = scene.rng, _Group()
    if start is None:
        return group
    flats: list[Flat] = [(0.0, 0.0, 0.0)]
    group.tiles.append((_jittered(kit, flats[0]), start))
    heads = _first_heads(kit, start, cross=cross)
    # The room is less than the picture or somewhat more; a straight chain stops early, so that it can still turn.
    room = kit.size[0] + 0.5 / scene.share * rng.uniform(0.4, 1.0)
    winding, crosswise = rng.choice([0.0, 0.12, 0.4]), rng.random() < 0.85
    while heads and len(flats) < count:
        head = heads.pop(rng.integers(len(heads)))
        tile = kit.draw(lambda tile, wanted=head.value: wanted in tile)  # type: ignore[misc]
        if tile is None:
            continue
        ends = tile if tile[0] == head.value else tile[::-1]
        for flat, after in _ways_on(kit, head, ends, winding, crosswise=crosswise):
            straight = abs(math.sin(flat[2] - head.way)) < 0.5
            inside = max(abs(flat[0]), abs(flat[1])) < room - kit.size[0] * straight or len(flats) < 3
            if inside and not any(_overlap(kit, flat, other) for other in flats):
                flats.append(flat)
                group.tiles.append((_jittered(kit, flat), ends))
                heads.append(after)
                break
    return group


def _first_heads(kit: _Kit, start: Ends, *, cross: bool) -> list[_Head]:
    length, width, _ = kit.size
    heads = [_Head(length / 2, 0, 0, start[1]), _Head(-length / 2, 0, math.pi, start[0])]
    if start[0] != start[1]:
        return heads
    sides = [_Head(0, width / 2, QUARTER, start[0]), _Head(0, -width / 2, -QUARTER, start[0])]
    return heads + sides if cross else sides


def _ways_on(kit: _Kit, head: _Head, ends: Ends, winding: float, *, crosswise: bool) -> list[tuple[Flat, _Head]]:
    """The ways to lay a tile at an open end, best first, each with the open end it makes."""
    length, width, _ = kit.size
    gap = float(kit.rng.uniform(0.0, 0.04)) * width
    if ends[0] == ends[1] and crosswise:
        flats = [head.past(gap + width / 2, 0, QUARTER)]
        return [(flats[0], _Head(*head.past(gap + width, 0, 0), ends[1]))]
    ways = [(head.past(gap + length / 2, 0, 0), 0.0)]
    for side in kit.rng.permutation([1, -1]).tolist():
        beyond = head.past(gap + width / 2, side * (length - width) / 2, side * QUARTER)
        beside = head.past(-width / 2, side * (length + width + 2 * gap) / 2, side * QUARTER)
        ways += [(flat, side * QUARTER) for flat in ((beyond, beside) if kit.rng.random() < 0.6 else (beside, beyond))]
    if kit.rng.random() < winding:
        ways = ways[1:] + ways[:1]
    return [(flat, _end_of(kit, flat, ends[1])) for flat, _ in ways]


def _end_of(kit: _Kit, flat: Flat, value: int) -> _Head:
    x, y, turn = flat
    reach = kit.size[0] / 2
    return _Head(x + reach * math.cos(turn), y + reach * math.sin(turn), turn, value)


def _jittered(kit: _Kit, flat: Flat, much: float = 1.0, *, down: bool = False) -> Matrix:
    slip = kit.rng.normal(0, 0.012 * kit.size[1] * much, 2)
    turn = flat[2] + kit.rng.normal(0, 0.018 * much)
    return _lain(kit, (flat[0] + slip[0], flat[1] + slip[1], turn), down=down)


def _line(scene: Scene, kit: _Kit, count: int) -> _Group:
    """Tiles end to end, with any values."""
    pitch = kit.size[0] * scene.rng.uniform(1.0, 1.15)
    tiles = [(i, tile) for i in range(min(count, 9)) if (tile := kit.draw())]
    middle = (len(tiles) - 1) / 2
    return _Group([(_jittered(kit, ((i - middle) * pitch, 0, 0)), tile) for i, tile in tiles])


def _row(scene: Scene, kit: _Kit, count: int) -> _Group:
    """Tiles side by side in one or several rows, as in a product photo, or face down as a stock to draw from."""
    rng = scene.rng
    rows = int(rng.integers(1, max(2, min(5, count // 3 + 1))))
    columns = math.ceil(count / rows)
    apart = kit.size[1] * rng.choice([0.01, rng.uniform(0.02, 0.4)])
    down = rng.choice([0.0, 0.15, 0.9], p=[0.7, 0.15, 0.15])
    much = rng.choice([0.4, 1.5])
    group = _Group()
    for i in range(count):
        tile = kit.draw()
        if tile is None:
            break
        x = (i % columns - (columns - 1) / 2) * (kit.size[1] + apart)
        y = (i // columns - (rows - 1) / 2) * (kit.size[0] + apart)
        turn = QUARTER if rng.random() < 0.5 else -QUARTER
        group.tiles.append((_jittered(kit, (x, y, turn), much, down=bool(rng.random() < down)), tile))
    return group


def _pile(scene: Scene, kit: _Kit, count: int) -> _Group:
    """A heap: tiles across others, some leaning with one end on another."""
    rng, group = scene.rng, _Group()
    laid: list[tuple[Flat, int]] = []
    wide = kit.size[1] * rng.uniform(0.3, 0.6) * math.sqrt(count)
    down = rng.choice([0.0, 0.3])
    for _ in range(6 * count):
        flat = (*rng.normal(0, wide, 2).tolist(), rng.uniform(0, 2 * math.pi))
        under = [(other, level) for other, level in laid if _overlap(kit, flat, other)]
        level = 1 + max((level for _, level in under), default=-1)
        bearers = [other for other, below in under if below == level - 1]
        if len(laid) == count or level > 3 or (level and not any(_within(kit, flat, other) for other in bearers)):
            continue
        tile = kit.draw()
        if tile is None:
            break
        laid.append((flat, level))
        group.tiles.append((_lain(kit, flat, level * kit.size[2], down=bool(rng.random() < down)), tile))
    return group


def _within(kit: _Kit, flat: Flat, other: Flat) -> bool:
    """Whether the middle of a tile is well over another tile."""
    dx, dy = flat[0] - other[0], flat[1] - other[1]
    along = abs(dx * math.cos(other[2]) + dy * math.sin(other[2]))
    across = abs(dy * math.cos(other[2]) - dx * math.sin(other[2]))
    return along < 0.42 * kit.size[0] and across < 0.42 * kit.size[1]


def _standing(scene: Scene, kit: _Kit, count: int) -> _Group:
    """A player's own tiles: on edge on the table, or leaning in a rack."""
    rng = scene.rng
    length, width, thick = kit.size
    racked = rng.random() < 0.65
    lean = _lean(scene) if racked else QUARTER
    on_end = rng.random() < 0.6
    wide, tall = (width, length) if on_end else (length, width)
    pitch = wide * rng.uniform(1.005, 1.1)
    tiles = [tile for _ in range(min(count, int(rng.integers(4, 12)))) if (tile := kit.draw())]
    group = _Group(facing=True)
    foot = 0.12 * width if racked else 0.0
    for i, tile in enumerate(tiles):
        x = (i - (len(tiles) - 1) / 2) * pitch
        turn = rng.choice([QUARTER, -QUARTER]) if on_end else rng.choice([0.0, math.pi])
        upright = Matrix.Rotation(lean, 4, "X") @ Matrix.Translation((0, tall / 2, -thick / 2 if racked else 0))
        yaw = Matrix.Rotation(0.0 if racked else rng.normal(0, 0.08), 4, "Z")
        # The tile's foot is the lower edge of its back, which lies against the rack.
        sunk = Matrix.Translation((x, 0, foot))
        group.tiles.append(
            (sunk @ yaw @ upright @ Matrix.Translation((0, 0, thick)) @ Matrix.Rotation(turn, 4, "Z"), tile)
        )
    if racked:
        group.props.append(_rack(rng, kit, len(tiles) * pitch, lean, tall, foot))
    return group


def _lean(scene: Scene) -> float:
    """How steeply the tiles stand in a rack: mostly so that the camera sees their faces."""
    lean = scene.rng.uniform(50, 76)
    readable = 140 - math.degrees(_view(scene))
    return math.radians(min(lean, readable) if scene.rng.random() < 0.75 else lean)


def _view(scene: Scene) -> float:
    """How far above the table the camera is, in radians, from 0 to a quarter turn."""
    return math.asin(scene.camera.matrix_world.translation.normalized().z)


def _rack(rng: Rng, kit: _Kit, wide: float, lean: float, tall: float, foot: float) -> _Prop:
    """A bar of wood or plastic with a lip in front, extruded along x; the tiles' backs lie on its slope."""
    width, thick = kit.size[1], kit.size[2]
    half, rise = wide / 2 + rng.uniform(0.05, 1.0) * width, tall * rng.uniform(0.5, 0.95)
    slot = thick * 1.1 / math.sin(lean)
    lip, front = foot + width * rng.uniform(0.04, 0.25), -slot - width * rng.uniform(0.1, 0.35)
    top = (rise / math.tan(lean), foot + rise)
    profile = [(front, 0), (front, lip), (-slot, lip), (-slot, foot), (0, foot), top]
    profile += [(top[0] + 0.12 * width, top[1]), (top[0] + width * rng.uniform(0.12, 0.8), 0)]
    ring = len(profile)
    vertices = [(x, y, z) for x in (-half, half) for y, z in profile]
    faces = [[i, ring + i, ring + (i + 1) % ring, (i + 1) % ring] for i in range(ring)]
    return _Prop(
        vertices, [*faces, list(range(ring)), list(range(ring, 2 * ring))[::-1]], _rack_stuff(rng, plain=kit.plain)
    )


def _rack_stuff(rng: Rng, *, plain: bool) -> Stuff:
    if plain or rng.random() < 0.35:
        return Stuff(any_colour(rng), rng.uniform(0.2, 0.6))
    stuff = Stuff((rng.uniform(0.35, 0.85), rng.uniform(0.22, 0.6), rng.uniform(0.1, 0.4)), rng.uniform(0.2, 0.7))
    grain = stuff.coordinates("Object", (0.25, 3, 3))
    stuff.mix((0.25, 0.13, 0.06), stuff.noise(grain, rng.uniform(0.8, 2), 0.35, 1.1, distortion=1))
    return stuff


def _hand(scene: Scene, kit: _Kit, count: int) -> _Group:
    """Tiles held like cards, with fingers in front of their lower part."""
    rng = scene.rng
    length, width, thick = kit.size
    tiles = [tile for _ in range(min(count, int(rng.integers(1, 8)))) if (tile := kit.draw())]
    pitch = float(np.clip(_view(scene) + rng.normal(0, 0.25), 0.2, QUARTER))
    frame = Matrix.Translation((0, 0, length * rng.uniform(0.55, 0.9))) @ Matrix.Rotation(QUARTER - pitch, 4, "X")
    step, bend = width * rng.uniform(0.75, 1.08), rng.uniform(0.0, 0.2)
    group = _Group(facing=True)
    for i, tile in enumerate(tiles):
        off = i - (len(tiles) - 1) / 2
        behind = -off * thick * 1.03 if step < 1.02 * width + 0.5 * length * bend else 0.0
        fan = Matrix.Rotation(-off * bend, 4, "Z") @ Matrix.Translation((0, length / 2, behind))
        turn = Matrix.Rotation(float(rng.choice([QUARTER, -QUARTER])), 4, "Z")
        group.tiles.append(
            (frame @ Matrix.Translation((off * step, -length / 2 - bend * off * off * step / 2, 0)) @ fan @ turn, tile)
        )
    group.props = _fingers(rng, kit, frame, step * len(tiles), thick * len(tiles) / 2)
    return group


def _fingers(rng: Rng, kit: _Kit, frame: Matrix, wide: float, deep: float) -> list[_Prop]:
    """Two to four fingers in front of the held tiles, and the palm behind them."""
    length, width, _ = kit.size
    shade = rng.uniform(0.3, 1.0)
    skin = Stuff((0.9 * shade, (0.55 + 0.15 * shade) * shade, (0.35 + 0.27 * shade) * shade), rng.uniform(0.4, 0.7))
    radius = width * rng.uniform(0.28, 0.4)
    front = deep + radius
    palm = Vector((0, -length * 0.62, -front)), Vector((0, -length * 0.9, -front - length * 0.4))
    props = [_capsule(frame @ palm[0], frame @ palm[1], min(radius * 2.2, wide / 2), skin)]
    many = int(rng.integers(2, 5))
    start = rng.uniform(-0.3, 0.3) * wide
    for i in range(many):
        x = start + (i - (many - 1) / 2) * radius * 2.1
        tip = Vector((x, length * rng.uniform(-0.42, -0.22), front))
        root = Vector((x * 0.8, -length * 0.75, front * rng.uniform(0.2, 0.8)))
        props.append(_capsule(frame @ root, frame @ tip, radius, skin))
    return props


def _capsule(start: Vector, end: Vector, radius: float, stuff: Stuff) -> _Prop:
    """A rod with round ends: 12 points around, 5 rings at either end."""
    around, rise = np.linspace(0, 2 * np.pi, 12, endpoint=False), np.linspace(-QUARTER, QUARTER, 10)
    length = (end - start).length
    rings = [
        (
            radius * math.cos(a) * np.cos(around),
            radius * math.cos(a) * np.sin(around),
            radius * math.sin(a) + length * (a > 0),
        )
        for a in rise
    ]
    turn = (end - start).to_track_quat("Z", "Y")
    vertices = [
        tuple(start + turn @ Vector((x, y, z)))
        for xs, ys, z in rings
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
    ]
    faces = [
        [r * 12 + i, r * 12 + (i + 1) % 12, r * 12 + 12 + (i + 1) % 12, r * 12 + 12 + i]
        for r in range(9)
        for i in range(12)
    ]
    return _Prop(vertices, faces, stuff)


_LAYOUTS: dict[str, Callable[[Scene, _Kit, int], _Group]] = {
    "chain": _chain,
    "cross": _cross,
    "line": _line,
    "row": _row,
    "pile": _pile,
    "standing": _standing,
    "hand": _hand,
}


# Placement


def _settle(scene: Scene, kit: _Kit, group: _Group, spread: float) -> list[tuple[Matrix, Ends]]:
    """Move a layout to where most of it is visible on free table; tiles that would overlap other things are left out."""
    best: list[tuple[Matrix, Ends]] = []
    where = Matrix()
    for attempt in range(8):
        spot = under_pixel(scene, *(scene.rng.uniform(-0.5, 0.5, 2) * spread * 0.8 * min(1, attempt)))
        if spot is None or len(best) == len(group.tiles):
            continue
        move = Matrix.Translation((*spot, 0)) @ Matrix.Rotation(_turn(scene, group), 4, "Z")
        moved = [(move @ at, tile) for at, tile in group.tiles]
        free = [(at, tile) for at, tile in moved if _free(kit, _flat(at), scene.taken)]
        shown = [(at, tile) for at, tile in free if _shows(scene, at)]
        # A rack or a hand cannot stand on other things.
        if len(shown) > len(best) and not (group.props and len(free) < len(moved)):
            best, where = shown, move
    if not best:
        return []
    for at, _ in best:
        scene.taken += _discs(kit, _flat(at))
    for prop in group.props:
        _link(prop, where)
    return best


def _turn(scene: Scene, group: _Group) -> float:
    eye = scene.camera.matrix_world.translation
    if group.facing:
        # Sometimes they are another player's, seen from behind.
        away = math.pi if scene.rng.random() < 0.1 else 0.0
        return math.atan2(eye.y, eye.x) + QUARTER + away + float(scene.rng.normal(0, 0.35))
    return float(scene.rng.uniform(0, 2 * math.pi))


def _shows(scene: Scene, at: Matrix) -> bool:
    x, y, z = scene.camera.matrix_world.inverted() @ at.translation
    render, data = bpy.context.scene.render, scene.camera.data
    wide = max(render.resolution_x, render.resolution_y)
    reach = 0.55 * data.sensor_width / data.lens * -z / wide
    return bool(z < 0 and abs(x) < reach * render.resolution_x and abs(y) < reach * render.resolution_y)


def _flat(at: Matrix) -> Flat:
    long = at.to_3x3() @ Vector((1, 0, 0))
    return at.translation.x, at.translation.y, math.atan2(long.y, long.x)


def _discs(kit: _Kit, flat: Flat) -> list[tuple[float, float, float]]:
    x, y, turn = flat
    reach = kit.size[0] / 4
    dx, dy = reach * math.cos(turn), reach * math.sin(turn)
    return [(x - dx, y - dy, kit.size[1] * 0.56), (x + dx, y + dy, kit.size[1] * 0.56)]


def _free(kit: _Kit, flat: Flat, taken: list[tuple[float, float, float]]) -> bool:
    return all(math.dist((x, y), (a, b)) > r + s for x, y, r in _discs(kit, flat) for a, b, s in taken)


def _overlap(kit: _Kit, one: Flat, two: Flat) -> bool:
    """Whether two flat tiles overlap (separating axes)."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    for turn in (one[2], one[2] + QUARTER, two[2], two[2] + QUARTER):
        reach = _reach(kit, one[2] - turn) + _reach(kit, two[2] - turn)
        if abs(dx * math.cos(turn) + dy * math.sin(turn)) >= 0.99 * reach:
            return False
    return True


def _reach(kit: _Kit, turn: float) -> float:
    return (kit.size[0] * abs(math.cos(turn)) + kit.size[1] * abs(math.sin(turn))) / 2


def _link(prop: _Prop, where: Matrix) -> None:
    mesh = bpy.data.meshes.new("prop")
    mesh.from_pydata(prop.vertices, [], prop.faces)
    mesh.materials.append(prop.stuff.material)
    mesh.polygons.foreach_set("use_smooth", np.full(len(mesh.polygons), len(prop.vertices) > 40))
    thing = bpy.data.objects.new("prop", mesh)
    thing.matrix_world = where
    bpy.context.scene.collection.objects.link(thing)


# The tiles themselves


def _build(scene: Scene, kit: _Kit, laid: list[tuple[Matrix, Ends]]) -> None:
    """Make the meshes, and one material for all tiles, whose picture holds all faces, the back and a blank."""
    height = int(np.clip(1.3 * kit.size[1] * scene.share * 640, 48, 160))
    faces = [tile_faces.tile_face(scene.rng, tile, kit.style, height) for _, tile in laid]
    faces += [tile_faces.tile_back(scene.rng, kit.style, height)]
    columns = math.ceil(math.sqrt((len(faces) + 1) / 2))
    rows = math.ceil((len(faces) + 1) / columns)
    ink = _sheet([ink for ink, _ in faces], columns, rows)
    depth = _sheet([np.repeat(depth[..., None], 4, 2) for _, depth in faces], columns, rows)
    material = _tile_stuff(scene.rng, kit, ink, depth)
    box = _Box.rounded(np.array(kit.size) / 2, kit.radius)
    back, blank = len(laid), len(laid) + 1
    for i, (at, tile) in enumerate(laid):
        mesh = box.mesh(np.array([i, back, blank, blank, blank, blank]), (columns, rows))
        mesh.materials.append(material)
        thing = bpy.data.objects.new("domino", mesh)
        thing.matrix_world = at
        bpy.context.scene.collection.objects.link(thing)
        scene.pieces.append(_placed(scene, kit, box, thing, tile))


def _sheet(cells: list[Any], columns: int, rows: int) -> NDArray[np.float32]:
    height, width = cells[0].shape[:2]
    sheet = np.zeros((rows * height, columns * width, 4), np.float32)
    for i, cell in enumerate(cells):
        y, x = i // columns * height, i % columns * width
        sheet[y : y + height, x : x + width] = cell
    return sheet


def _tile_stuff(rng: Rng, kit: _Kit, ink: NDArray[np.float32], depth: NDArray[np.float32]) -> Any:
    style = kit.style
    stuff = Stuff(style.body, rng.uniform(0.05, 0.3) if rng.random() < 0.55 else rng.uniform(0.3, 0.75))
    if style.grain == "marbled":
        where = stuff.coordinates("Object", (1, 1, 1))
        stuff.mix(style.second, stuff.noise(where, rng.uniform(0.6, 2.5), 0.42, 0.62, distortion=rng.uniform(0, 4)))
    elif style.grain == "wood":
        grain = stuff.coordinates("Object", (0.4, 4, 4))
        stuff.mix(style.second, stuff.noise(grain, rng.uniform(1, 3), 0.3, 0.8, distortion=rng.uniform(0, 1.5)))
    uv = stuff.coordinates("UV", (1, 1, 1))
    picture = stuff.picture(ink, uv)
    stuff.mix(picture.outputs["Color"], picture.outputs["Alpha"])
    if style.grain == "translucent":
        clear = stuff.nodes.new("ShaderNodeMapRange")
        clear.inputs["To Min"].default_value, clear.inputs["To Max"].default_value = rng.uniform(0.3, 0.9), 0.0
        stuff.links.new(picture.outputs["Alpha"], clear.inputs["Value"])
        stuff.links.new(clear.outputs["Result"], stuff.shader.inputs["Transmission Weight"])
    if depth.any() and not kit.plain:
        hollow = stuff.picture(depth, uv, data=True).outputs["Color"]
        stuff.bump(hollow, rng.uniform(0.3, 1.0), rng.uniform(0.03, 0.12), inwards=True)
    return stuff.material


@dataclass(frozen=True)
class _Box:
    """A box with rounded edges; `side` (of shapes.AXES) and `uv` (0..1) belong to its quads."""

    half: Floats
    vertices: Floats
    quads: NDArray[np.int64]
    side: NDArray[np.int64]
    uv: Floats

    @classmethod
    def rounded(cls, half: Floats, radius: float) -> _Box:
        """Mesh a box of these half sizes: flat grids, and two quads over each half of a rounded edge."""
        sides = [_rounded_side(side, half, radius) for side in range(6)]
        starts = np.cumsum([0, *(len(points) for points, _, _ in sides)])
        vertices = np.concatenate([points for points, _, _ in sides])
        quads = np.concatenate([quads + start for (_, quads, _), start in zip(sides, starts[:-1], strict=True)])
        side = np.concatenate([np.full(len(quads), i) for i, (_, quads, _) in enumerate(sides)])
        _, first, where = np.unique(np.round(vertices, 6), axis=0, return_index=True, return_inverse=True)
        return cls(half, vertices[first], where.reshape(-1)[quads], side, np.concatenate([uv for _, _, uv in sides]))

    def mesh(self, cells: NDArray[np.int64], grid: tuple[int, int]) -> Any:
        """A Blender mesh whose sides show the given cells of a sheet of columns x rows."""
        mesh = bpy.data.meshes.new("domino")
        mesh.from_pydata(self.vertices.tolist(), [], self.quads.tolist())
        columns, rows = grid
        cell = cells[self.side][:, None]
        u, v = np.clip(self.uv, 0.008, 0.992).transpose(2, 0, 1)
        x, y = cell % columns + u, rows - 1 - cell // columns + v
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.stack([x / columns, y / rows], -1).astype(np.float32).ravel())
        mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
        mesh.update()
        return mesh

    def outline(self, side: int) -> Floats:
        """The four corners of a side without its rounding, clockwise from outside; 0 to 1 is a long edge."""
        right, up = _frame(side)
        long, short = (right, up) if self.half @ np.abs(right) >= self.half @ np.abs(up) else (up, -right)
        corners = [-long + short, long + short, long - short, -long - short]
        return np.array([(shapes.AXES[side] + corner) * self.half for corner in corners])


def _rounded_side(side: int, half: Floats, radius: float) -> tuple[Floats, NDArray[np.int64], Floats]:
    """The vertices (n x 3), quads (m x 4) and uv (m x 4 x 2) of one side of a box with rounded edges."""
    right, up = _frame(side)
    lines = [_grid_line(h, radius, n) for h, n in zip(half.tolist(), (7, 4, 2), strict=True)]
    u, v = (lines[int(np.abs(axis).argmax())] for axis in (right, up))
    grid = shapes.AXES[side] * half + u[:, None, None] * right + v[None, :, None] * up
    core = np.clip(grid, radius - half, half - radius)
    away = grid - core
    points = (core + radius * away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)).reshape(-1, 3)
    cells = np.arange(len(points)).reshape(len(u), len(v))
    quads = np.stack([cells[:-1, :-1], cells[1:, :-1], cells[1:, 1:], cells[:-1, 1:]], -1).reshape(-1, 4)
    uv = np.stack([points @ axis / (2 * half @ np.abs(axis)) + 0.5 for axis in (right, up)], -1)
    return points, quads, uv[quads]


def _grid_line(half: float, radius: float, flat: int) -> Floats:
    """Points from -half to half: dense over the rounded edges (angles of 22.5 degrees), with `flat` more between them."""
    rim = radius * (1 - math.tan(math.pi / 8))
    inner = np.linspace(radius - half, half - radius, flat + 2)
    return np.concatenate([[-half, rim - half], inner, [half - rim, half]])


def _frame(side: int) -> tuple[Floats, Floats]:
    """Right and up of a side seen from outside; right is along a tile's length where the side contains it."""
    normal = shapes.AXES[side]
    right = np.array([0, 1.0, 0]) if side in (2, 3) else np.array([1.0, 0, 0])
    return right, np.cross(normal, right)


def _placed(scene: Scene, kit: _Kit, box: _Box, thing: Any, tile: Ends) -> Placed:
    side = _side_shown(scene, box, thing.matrix_world)
    top = box.vertices @ shapes.AXES[side] > box.half @ np.abs(shapes.AXES[side]) - 1e-6
    ends = tile if side == FACE else (None, None)
    return Placed(thing, "domino", kit.style.body, top, ends=ends, outline=box.outline(side))


def _side_shown(scene: Scene, box: _Box, at: Matrix) -> int:
    """The face if it lies up or is turned to the camera within 60 degrees; then the back likewise; else the largest side seen."""
    turn = np.array(at.to_3x3())
    away = np.array((scene.camera.matrix_world.translation - at.translation).normalized())
    normals = shapes.AXES @ turn.T
    towards = normals @ away
    for side in (FACE, BACK):
        if towards[side] > 0.5 or (normals[side, 2] > 0.5 and towards[side] > 0.1):
            return side
    areas = box.half.prod() / (np.abs(shapes.AXES) @ box.half)
    return 1 + int(np.argmax((towards * areas)[1:]))
