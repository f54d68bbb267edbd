"""Things that look like pieces, or that often lie on tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from datasets.generate.blender.materials import FONTS, Stuff, is_plain, numeral_stuff
from datasets.generate.blender.pieces import twelve_sided
from datasets.generate.blender.table import NUMERALS, Rng, Scene, spot_on_table, stand, under_pixel
from datasets.generate.parts import drawings, shapes, sheets

Floats = NDArray[np.float64]
Spot = tuple[float, float]

SKIN: tuple[drawings.Colour, ...] = (
    (0.95, 0.76, 0.65),
    (0.85, 0.62, 0.48),
    (0.65, 0.43, 0.3),
    (0.42, 0.27, 0.18),
    (0.25, 0.15, 0.1),
)


def look_alike(scene: Scene, spread: float) -> None:
    """Add one random thing."""
    rng = scene.rng
    maker = _MAKERS[rng.choice(len(_MAKERS), p=_SHARES)]
    maker(scene, spread)


def _spot(scene: Scene, size: float, spread: float) -> Spot | None:
    return spot_on_table(scene, size, spread, near=bool(scene.rng.random() < 0.3))


def _numeral_die(scene: Scene, spread: float) -> None:
    """A die with numerals that is no piece here, with 4, 6, 8, 10 or 20 faces."""
    rng = scene.rng
    count, size = int(rng.choice([4, 6, 8, 10, 20])), rng.uniform(0.5, 1.0)
    spot = _spot(scene, size, spread)
    if spot is None:
        return
    cube = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1).T / 3**0.5
    solid = shapes.rounded_solid(cube if count == 6 else shapes.polyhedron(count), rng.uniform(0.02, 0.15))
    labels = [str(n) for n in range(1, count + 1)]
    material = numeral_stuff(rng, drawings.any_colour(rng), labels, plain=is_plain(scene.recipe))
    numbers, turns = (rng.permutation(count) + 1).tolist(), np.full(count, rng.uniform(0, 6.3))
    thing = _link(NUMERALS, twelve_sided.numbered_mesh(solid, numbers, turns, material))
    thing.matrix_world = Matrix.Scale(size, 4)
    down = Vector(solid.normals[rng.integers(count)]).rotation_difference(Vector((0, 0, -1)))
    lowest = float((solid.vertices @ np.array(down.to_matrix()).T)[:, 2].min())
    stand(scene, thing, spot, -lowest * size, down)


def _coin(scene: Scene, spread: float) -> None:
    """A coin or a poker chip, often with a number."""
    rng, r, tall = scene.rng, scene.rng.uniform(0.45, 1.1), scene.rng.uniform(0.08, 0.22)
    spot = _spot(scene, r, spread)
    if spot is None:
        return
    metals: list[drawings.Colour] = [(0.8, 0.8, 0.78), (0.85, 0.65, 0.3), (0.7, 0.42, 0.28)]
    metal = rng.random() < 0.7
    body = metals[rng.integers(3)] if metal else drawings.any_colour(rng)
    stuff = Stuff(body, rng.uniform(0.15, 0.5))
    picture = print_on(stuff, sheets.coin(rng, FONTS, body))
    if metal:
        stuff.set(Metallic=1.0)
        stuff.bump(picture.outputs["Color"], 0.5, 0.05)
    stand(scene, _cylinder(r, tall, stuff), spot, tall / 2)


def _button(scene: Scene, spread: float) -> None:
    """A button with holes, a draughtsman with rings, a round counter."""
    rng, r, tall = scene.rng, scene.rng.uniform(0.3, 0.9), scene.rng.uniform(0.08, 0.4)
    spot = _spot(scene, r, spread)
    if spot is None:
        return
    sheet = sheets.Sheet(rng, FONTS, 96, drawings.any_colour(rng))
    for dx, dy in sheets.PIPS[int(rng.choice([0, 1, 2, 4]))]:
        x, y = 48 + 10 * dx, 48 + 10 * dy
        sheet.draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill=sheet.ink())
    if rng.random() < 0.5:
        sheet.draw.ellipse((12, 12, 84, 84), outline=sheet.ink(0.1), width=4)
    stuff = Stuff(sheet.ground, rng.uniform(0.1, 0.6))
    print_on(stuff, sheets.finished(sheet))
    stand(scene, _cylinder(r, tall, stuff), spot, tall / 2)


def _pawn(scene: Scene, spread: float) -> None:
    """A pawn or peg, standing or lying."""
    rng, r, tall = scene.rng, scene.rng.uniform(0.15, 0.5), scene.rng.uniform(0.8, 2.5)
    spot = _spot(scene, r, spread)
    if spot is None:
        return
    bpy.ops.mesh.primitive_cone_add(vertices=24, radius1=r, radius2=r * rng.uniform(0.1, 1), depth=tall)
    pawn = _dressed(Stuff(drawings.any_colour(rng), rng.uniform(0.1, 0.7)))
    if rng.random() < 0.5:
        stand(scene, pawn, spot, tall / 2)
    else:
        stand(scene, pawn, spot, r, Quaternion((1, 0, 0), math.pi / 2))


def _cube(scene: Scene, spread: float) -> None:
    """A sugar cube or a wooden resource cube."""
    rng, edge = scene.rng, scene.rng.uniform(0.4, 1.2)
    spot = _spot(scene, edge * 0.7, spread)
    if spot is None:
        return
    sugar = rng.random() < 0.4
    stuff = Stuff((0.95, 0.94, 0.92) if sugar else drawings.any_colour(rng), rng.uniform(0.3, 0.95))
    grains = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(8, 25) / edge, 0.3, 0.7)
    stuff.bump(grains, 0.8 if sugar else 0.3, 0.06)
    stand(scene, make_box((edge, edge, edge), edge * rng.uniform(0.01, 0.1), stuff), spot, edge / 2)


def _ball(scene: Scene, spread: float) -> None:
    """A marble or a bead."""
    rng, r = scene.rng, scene.rng.uniform(0.2, 0.7)
    spot = _spot(scene, r, spread)
    if spot is None:
        return
    stuff = Stuff(drawings.any_colour(rng), rng.uniform(0.02, 0.5))
    if rng.random() < 0.4:
        swirl = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(0.5, 3), 0.45, 0.6, distortion=3)
        stuff.mix(drawings.any_colour(rng), swirl)
    if rng.random() < 0.3:
        stuff.set(Transmission_Weight=0.9)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, segments=24, ring_count=12)
    bpy.ops.object.shade_smooth()
    stand(scene, _dressed(stuff), spot, r)


def _pen(scene: Scene, spread: float) -> None:
    """A pen, a pencil, a match."""
    rng, r, length = scene.rng, scene.rng.uniform(0.08, 0.4), scene.rng.uniform(2, 9)
    spot = spot_on_table(scene, r * 2, spread, near=False)
    if spot is None:
        return
    line = np.linspace((0, -length / 2, 0), (0, length / 2, 0), 8)
    radii = r * np.array([0.1, 0.5, 1, 1, 1, 1, 1, 0.9])
    pen = _tube("pen", line, radii, Stuff(drawings.any_colour(rng), rng.uniform(0.1, 0.7)))
    stand(scene, pen, spot, r)


def _card(scene: Scene, spread: float) -> None:
    """A playing card or a printed slip, under or beside the pieces."""
    rng = scene.rng
    spot = under_pixel(scene, rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5))
    if spot is None:
        return
    w = rng.uniform(2, 6)
    bpy.ops.mesh.primitive_plane_add(size=1)
    stuff = Stuff((1, 1, 1), rng.uniform(0.2, 0.6))
    if rng.random() < 0.5:
        sheet = sheets.Sheet(rng, FONTS, 256, (0.96, 0.96, 0.94))
        sheets.playing_card(sheet, (0, 0, 256, 256))
        print_on(stuff, sheets.finished(sheet))
    else:
        print_on(stuff, sheets.printed_sheet(rng, FONTS, 256))
    card = _dressed(stuff)
    card.matrix_world = Matrix.Diagonal((w, w * 1.4, 1, 1))
    stand(scene, card, spot, rng.uniform(0.008, 0.02))


def _printed_box(scene: Scene, spread: float) -> None:
    """A matchbox, a box of cards, a game's box."""
    rng, w = scene.rng, scene.rng.uniform(1.2, 5)
    spot = _spot(scene, w, spread)
    if spot is None:
        return
    stuff, tall = Stuff((1, 1, 1), rng.uniform(0.2, 0.7)), w * rng.uniform(0.15, 0.5)
    print_on(stuff, sheets.box_print(rng, FONTS))
    stand(scene, make_box((w, w * rng.uniform(1.2, 1.8), tall), 0.03, stuff), spot, tall / 2)


def _gadget(scene: Scene, spread: float) -> None:
    """A phone, a remote, a key fob: dark, twice as long as wide or longer, with a few light spots."""
    rng, w = scene.rng, scene.rng.choice([scene.rng.uniform(0.8, 1.6), scene.rng.uniform(2.5, 4.5)])
    spot = _spot(scene, w, spread)
    if spot is None:
        return
    stuff, tall = Stuff((0.03, 0.03, 0.03), rng.uniform(0.05, 0.5)), w * rng.uniform(0.08, 0.25)
    print_on(stuff, sheets.gadget(rng, FONTS))
    stand(scene, make_box((w, w * rng.uniform(1.8, 3.5), tall), tall * 0.3, stuff), spot, tall / 2)


def _block(scene: Scene, spread: float) -> None:
    """A wooden building block or an eraser: longer or thicker than a domino, to be distinguishable from one face down."""
    rng, w = scene.rng, scene.rng.uniform(0.6, 1.6)
    long = w * rng.choice([rng.uniform(1.2, 1.6), rng.uniform(2.7, 3.6)])
    spot = _spot(scene, long * 0.5, spread)
    if spot is None:
        return
    wood: drawings.Colour = (rng.uniform(0.6, 0.85), rng.uniform(0.45, 0.65), rng.uniform(0.25, 0.45))
    stuff = Stuff(wood if rng.random() < 0.6 else drawings.any_colour(rng), rng.uniform(0.4, 0.9))
    grain = stuff.noise(stuff.coordinates("Object", (3, 0.3, 3)), rng.uniform(1, 4), 0.4, 0.9)
    stuff.mix((wood[0] * 0.7, wood[1] * 0.65, wood[2] * 0.6), grain)
    tall = w * rng.uniform(0.5, 1)
    stand(scene, make_box((w, long, tall), w * rng.uniform(0.02, 0.1), stuff), spot, tall / 2)


def _letter_tile(scene: Scene, spread: float) -> None:
    """A letter tile, or a loose key of a keyboard."""
    rng, w = scene.rng, scene.rng.uniform(0.8, 1.4)
    spot = _spot(scene, w * 0.7, spread)
    if spot is None:
        return
    body: drawings.Colour = (0.9, 0.78, 0.55) if rng.random() < 0.5 else drawings.any_colour(rng)
    stuff = Stuff(body, rng.uniform(0.2, 0.7))
    print_on(stuff, sheets.letter_tile(rng, FONTS, body))
    tall = w * rng.uniform(0.2, 0.5)
    stand(scene, make_box((w, w * rng.uniform(1, 1.15), tall), w * rng.uniform(0.02, 0.12), stuff), spot, tall / 2)


def _studded(scene: Scene, spread: float) -> None:
    """A toy brick, whose studs look like colourless pips from above."""
    rng, pitch = scene.rng, scene.rng.uniform(0.4, 0.7)
    across, along = int(rng.integers(1, 3)), int(rng.integers(1, 5))
    spot = _spot(scene, pitch * max(across, along) * 0.6, spread)
    if spot is None:
        return
    tall, brick = pitch * rng.choice([0.4, 1.2]), bmesh.new()
    bmesh.ops.create_cube(brick, size=1, matrix=Matrix.Diagonal((across * pitch, along * pitch, tall, 1)))
    for i in range(across):
        for j in range(along):
            place = ((i - (across - 1) / 2) * pitch, (j - (along - 1) / 2) * pitch, tall / 2 + pitch * 0.1)
            bmesh.ops.create_cone(
                brick, cap_ends=True, segments=14, radius1=pitch * 0.3, radius2=pitch * 0.3, depth=pitch * 0.2,
                matrix=Matrix.Translation(place),
            )  # fmt: skip
    thing = make_solid("brick", brick, Stuff(drawings.any_colour(rng), rng.uniform(0.1, 0.4)))
    stand(scene, thing, spot, tall / 2)


def _keyboard(scene: Scene, spread: float) -> None:
    """A corner of a keyboard or calculator at the picture's edge."""
    rng, pitch = scene.rng, scene.rng.uniform(0.7, 1.3)
    border = _border(scene)
    if border is None or math.hypot(*border) < 4:
        return
    keys = bmesh.new()
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 12))
    for i in range(columns):
        for j in range(rows):
            place = Matrix.Translation(((i - columns / 2) * pitch, (j - rows / 2) * pitch, 0))
            bmesh.ops.create_cube(keys, size=1, matrix=place @ Matrix.Diagonal((pitch * 0.85, pitch * 0.85, 0.4, 1)))
    reach = math.hypot(columns, rows) * pitch / 2
    out = Vector(border).normalized() * (math.hypot(*border) + reach * rng.uniform(0.3, 0.8))
    grey = rng.choice([0.03, 0.1, 0.8])
    stand(scene, make_solid("keys", keys, Stuff((grey, grey, grey), rng.uniform(0.3, 0.6))), (out.x, out.y), 0.2)


def _cup(scene: Scene, spread: float) -> None:
    """A cup, a glass or a jar from above, with something in it."""
    rng, r = scene.rng, scene.rng.uniform(1.2, 2.8)
    spot = spot_on_table(scene, r, 1.1, near=False)
    if spot is None:
        return
    tall, n = r * rng.uniform(0.8, 2), 32
    turns = np.arange(n) * 2 * np.pi / n
    profile = [(0.8, 0.0), (1.0, tall), (0.92, tall), (0.85, tall * rng.uniform(0.3, 0.9))]
    points = [(r * s * math.cos(t), r * s * math.sin(t), z) for s, z in profile for t in turns]
    cells = [(k * n + i, k * n + (i + 1) % n) for k in range(3) for i in range(n)]
    faces: list[tuple[int, ...]] = [(a, b, b + n, a + n) for a, b in cells]
    cup = bpy.data.meshes.new("cup")
    cup.from_pydata(points, [], [*faces, tuple(range(3 * n, 4 * n))])
    cup.materials.append(Stuff(drawings.any_colour(rng), rng.uniform(0.05, 0.5)).material)
    cup.materials.append(Stuff((rng.uniform(0.05, 0.4), rng.uniform(0.03, 0.2), 0.03), 0.05).material)
    cup.polygons[len(cup.polygons) - 1].material_index = 1
    stand(scene, _link("cup", cup), spot, 0)


def _cable(scene: Scene, spread: float) -> None:
    """A cable or cord that winds along the picture's edge."""
    rng, border = scene.rng, _border(scene)
    if border is None:
        return
    t = np.linspace(-1, 1, 30)
    long, bend = scene.distance * rng.uniform(0.2, 0.6), scene.distance * rng.uniform(0.02, 0.1)
    wave = bend * np.sin(t * rng.uniform(2, 6) + rng.uniform(0, 6))
    r, grey = rng.uniform(0.06, 0.3), rng.choice([0.02, 0.05, 0.9])
    body = Stuff((grey, grey, grey) if rng.random() < 0.8 else drawings.any_colour(rng), rng.uniform(0.3, 0.7))
    cable = _tube("cable", np.stack([t * long, wave, np.zeros(30)], -1), np.full(30, r), body)
    stand(scene, cable, border, r)


def _hand(scene: Scene, spread: float) -> None:
    """One to four fingers reaching in from the edge, touching the free table or hovering over the pieces."""
    rng, border = scene.rng, _border(scene)
    if border is None:
        return
    out = Vector((*border, 0))
    reach = out.length * rng.uniform(0.05, 0.5)
    tip = out * (1 - reach / max(1e-6, out.length))
    free = all(math.dist(tip.xy, (x, y)) > size + 3 for x, y, size in scene.taken)
    skin = SKIN[rng.integers(len(SKIN))]
    stuff = Stuff(skin, rng.uniform(0.4, 0.7))
    stuff.set(Subsurface_Weight=0.1)
    height = 0.6 if free else rng.uniform(2.2, 3.5)
    for k in range(int(rng.integers(1, 5))):
        finger = _tube("finger", *_finger(rng), stuff)
        turn = Matrix.Rotation(math.atan2(out.y, out.x) + (k - 1.5) * rng.uniform(0.05, 0.14), 4, "Z")
        side = Vector((-out.y, out.x, 0)).normalized() * (k - 1.5) * 1.15
        finger.matrix_world = Matrix.Translation(tip + side + Vector((0, 0, height))) @ turn
        scene.others.append(finger)


def _finger(rng: Rng) -> tuple[Floats, Floats]:
    """The centre line along +x from the tip at the origin, slightly bent, and the radii along it."""
    x = np.array([0, 0.08, 0.25, 0.55, 1.2, 2.0, 2.8, 3.6, 5, 8, 14])
    z = 0.25 * rng.uniform(0.3, 1.6) * np.minimum(x, 4) + 0.05 * x
    radii = rng.uniform(0.45, 0.62) * np.array([0.02, 0.45, 0.75, 0.95, 1, 1.02, 1.12, 1.05, 1.2, 1.9, 2.6])
    return np.stack([x, rng.uniform(-0.05, 0.05) * x, z], -1), radii


def _border(scene: Scene) -> Spot | None:
    """A place on the table at the picture's edge."""
    u, side = scene.rng.uniform(-0.5, 0.5), 0.5 if scene.rng.random() < 0.5 else -0.5
    return under_pixel(scene, u, side) if scene.rng.random() < 0.5 else under_pixel(scene, side, u)


def print_on(stuff: Stuff, pixels: NDArray[np.float32]) -> Any:
    """Print on the top of a thing, and return the image node."""
    picture = stuff.picture(pixels, stuff.coordinates("Generated", (1, 1, 1)))
    stuff.paint(picture.outputs["Color"])
    return picture


def make_box(size: tuple[float, float, float], round_by: float, stuff: Stuff) -> Any:
    """A box of this size around the origin, with rounded edges."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    box = _dressed(stuff)
    box.data.transform(Matrix.Diagonal((*size, 1)))
    edge = box.modifiers.new("edge", "BEVEL")
    edge.width, edge.segments = round_by, 2
    return box


def _cylinder(radius: float, tall: float, stuff: Stuff) -> Any:
    bpy.ops.mesh.primitive_cylinder_add(vertices=40, radius=radius, depth=tall)
    return _dressed(stuff)


def _dressed(stuff: Stuff) -> Any:
    """The object that Blender made last, with a material."""
    thing = bpy.context.object
    thing.data.materials.append(stuff.material)
    return thing


def _tube(name: str, line: Floats, radii: Floats, stuff: Stuff, around: int = 12) -> Any:
    """A tube along a nearly flat centre line (n x 3), with a radius for each of its points."""
    ahead = np.gradient(line, axis=0)
    side = np.cross(ahead, [0, 0, 1])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, ahead)
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    turns = np.arange(around) * 2 * np.pi / around
    ring = np.cos(turns)[None, :, None] * side[:, None] + np.sin(turns)[None, :, None] * up[:, None]
    points = (line[:, None] + radii[:, None, None] * ring).reshape(-1, 3)
    k, i = (index.ravel() for index in np.meshgrid(np.arange(len(line) - 1), np.arange(around), indexing="ij"))
    after = (i + 1) % around
    quads = np.stack([k * around + i, k * around + after, (k + 1) * around + after, (k + 1) * around + i], -1)
    last = len(points) - around
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], [*quads.tolist(), list(range(around))[::-1], list(range(last, len(points)))])
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.materials.append(stuff.material)
    return _link(name, mesh)


def make_solid(name: str, shape: Any, stuff: Stuff) -> Any:
    """An object with a shape (a `bmesh`, freed here)."""
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(stuff.material)
    return _link(name, mesh)


def _link(name: str, mesh: Any) -> Any:
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


_KINDS: dict[Callable[[Scene, float], None], float] = {
    _numeral_die: 5, _coin: 2, _button: 1.5, _pawn: 1, _cube: 2, _ball: 1, _pen: 1, _card: 2, _printed_box: 1.5,
    _gadget: 2, _block: 1.5, _letter_tile: 1.5, _studded: 1, _keyboard: 0.5, _cup: 0.7, _cable: 1, _hand: 1.5,
}  # fmt: skip
_MAKERS: Sequence[Callable[[Scene, float], None]] = list(_KINDS)
_SHARES = np.array(list(_KINDS.values())) / sum(_KINDS.values())
