"""One random table with dice, built in Blender from a seed: what stands where, of what stuff, under which light.

Lengths are in die edges: a pip die is about 1 wide. The table is the plane z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from datasets.render import drawings, shapes
from datasets.render.stuff import Stuff, die_stuff

Rng = np.random.Generator
Recipe = Mapping[str, Any]

_BLENDER = Path(bpy.utils.resource_path("LOCAL")) / "datafiles"
HDRIS = sorted((_BLENDER / "studiolights" / "world").glob("*.exr"))
FONTS = [str(_BLENDER / "fonts" / name) for name in ("Inter.woff2", "DejaVuSansMono.woff2")]


@dataclass
class Placed:
    """A pip die in the scene: its object, its top value (None: cocked, no face is up) and which vertices are its top."""

    thing: Any
    value: int | None
    colour: drawings.Colour
    top: NDArray[np.bool_]


@dataclass
class Scene:
    """A built table, ready to render."""

    rng: Rng
    recipe: Recipe
    camera: Any
    distance: float
    dice: list[Placed] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)


def build(seed: int, recipe: Recipe) -> Scene:
    """Empty Blender and lay a new table. The same seed and recipe give the same scene."""
    rng = np.random.default_rng(seed)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    share = math.exp(rng.uniform(*np.log(recipe["die_width"])))
    width, height = recipe["sizes"][rng.integers(len(recipe["sizes"]))]
    camera, distance = _camera(rng, share, recipe)
    bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = width, height
    scene = Scene(rng, recipe, camera, distance)
    bpy.context.view_layer.update()
    _table(scene)
    _light(rng)
    _strew(scene, share)
    bpy.context.view_layer.update()
    return scene


def _camera(rng: Rng, share: float, recipe: Recipe) -> tuple[Any, float]:
    data = bpy.data.cameras.new("camera")
    data.lens = rng.uniform(22, 60)
    distance = data.lens / data.sensor_width / share
    # From straight above down to the recipe's lowest view; people mostly look at 40 to 80 degrees.
    low = recipe["lowest_view_degrees"]
    elevation = math.radians(90 if rng.random() < 0.2 else rng.uniform(low, 90))
    turn = rng.uniform(0, 2 * math.pi)
    eye = distance * Vector(
        (math.cos(elevation) * math.cos(turn), math.cos(elevation) * math.sin(turn), math.sin(elevation))
    )
    camera = bpy.data.objects.new("camera", data)
    camera.location = eye
    # Looking straight down a phone has no upright; looking across the table it is held upright.
    roll = rng.uniform(0, 2 * math.pi) if elevation > math.radians(65) else rng.normal(0, 0.12)
    look = (-eye).to_track_quat("-Z", "Y") @ Quaternion((0, 0, 1), roll)
    camera.rotation_euler = look.to_euler()
    if rng.random() < recipe["defocus"]:
        data.dof.use_dof = True
        data.dof.focus_distance = distance * rng.uniform(0.9, 1.1)
        data.dof.aperture_fstop = data.lens / 1000 * distance / rng.uniform(0.02, 0.12)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    return camera, distance


def _light(rng: Rng) -> None:
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    background = next(node for node in nodes if node.type == "BACKGROUND")
    sky = nodes.new("ShaderNodeTexEnvironment")
    sky.image = bpy.data.images.load(str(HDRIS[rng.integers(len(HDRIS))]))
    spin = nodes.new("ShaderNodeMapping")
    spin.inputs["Rotation"].default_value = (rng.normal(0, 0.3), rng.normal(0, 0.3), rng.uniform(0, 2 * math.pi))
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], spin.inputs["Vector"])
    links.new(spin.outputs["Vector"], sky.inputs["Vector"])
    links.new(sky.outputs["Color"], background.inputs["Color"])
    lamp_only = rng.random() < 0.3
    background.inputs["Strength"].default_value = rng.uniform(0.05, 0.3) if lamp_only else rng.uniform(0.4, 1.3)
    if lamp_only or rng.random() < 0.4:
        lamp = bpy.data.lights.new("lamp", "SUN")
        lamp.energy = rng.uniform(1.5, 6)
        lamp.angle = math.radians(rng.choice([0.5, 3, 15, 40]))
        warmth = rng.uniform(0, 0.45)
        lamp.color = (1, 1 - warmth * 0.5, 1 - warmth) if rng.random() < 0.8 else (0.75, 0.85, 1)
        thing = bpy.data.objects.new("lamp", lamp)
        thing.rotation_euler = (rng.uniform(0, 1.2), 0, rng.uniform(0, 2 * math.pi))
        bpy.context.scene.collection.objects.link(thing)


def _table(scene: Scene) -> None:
    rng = scene.rng
    reach = max(14.0, scene.distance * 4)
    bpy.ops.mesh.primitive_plane_add(size=2 * reach)
    plane = bpy.context.object
    stuff = _ground(rng, scene.distance)
    plane.data.materials.append(stuff.material)
    if rng.random() < scene.recipe["tray"]:
        _tray(scene)


def _ground(rng: Rng, distance: float) -> Stuff:
    colour = drawings.any_colour(rng)
    stuff = Stuff(colour, rng.uniform(0.15, 0.95))
    kind = rng.choice(["plain", "wood", "felt", "carpet", "check", "print", "print", "marble"])
    where = stuff.coordinates("Object", (1, 1, 1))
    near = drawings.any_colour(rng)
    if kind == "wood":
        stuff = Stuff((rng.uniform(0.35, 0.85), rng.uniform(0.22, 0.6), rng.uniform(0.1, 0.4)), rng.uniform(0.15, 0.6))
        grain = stuff.coordinates("Object", (rng.uniform(0.05, 0.15), rng.uniform(0.8, 2.5), 1))
        stuff.mix(
            (0.25, 0.13, 0.06),
            stuff.noise(grain, rng.uniform(0.8, 3), 0.35, rng.uniform(0.7, 1.2), distortion=rng.uniform(0, 2)),
        )
    elif kind in ("felt", "carpet"):
        fine = stuff.noise(where, rng.uniform(8, 40) if kind == "felt" else rng.uniform(2, 9), 0.35, 0.65)
        stuff.mix(tuple(0.6 * c for c in colour), fine)
        stuff.bump(fine, 1.0, 0.1 if kind == "felt" else 0.4)
    elif kind == "check":
        checker = stuff.nodes.new("ShaderNodeTexChecker")
        checker.inputs["Scale"].default_value = rng.uniform(0.2, 3)
        stuff.links.new(where, checker.inputs["Vector"])
        stuff.mix(near, checker.outputs["Fac"])
    elif kind == "print":
        side = distance * rng.uniform(0.3, 1.2) if rng.random() < 0.6 else rng.uniform(4, 16)
        sheet = stuff.picture(drawings.printed_sheet(rng, FONTS), stuff.coordinates("Object", (1 / side, 1 / side, 1)))
        stuff.paint(sheet.outputs["Color"])
    elif kind == "marble":
        stuff.mix(near, stuff.noise(where, rng.uniform(0.2, 1.5), 0.45, 0.6, distortion=3))
    if rng.random() < 0.3:
        stuff.bump(stuff.noise(where, rng.uniform(1, 12), 0, 1), 0.3, 0.1)
    return stuff


def _tray(scene: Scene) -> None:
    rng = scene.rng
    radius = scene.distance * rng.uniform(0.3, 0.6)
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=int(rng.choice([4, 6, 8, 64])), radius=radius, depth=rng.uniform(0.6, 2.5), end_fill_type="NOTHING"
    )
    rim = bpy.context.object
    rim.location.z = 0.3
    thick = rim.modifiers.new("wall", "SOLIDIFY")
    thick.thickness = rng.uniform(0.1, 0.5)
    thick.offset = 1
    rim.data.materials.append(Stuff(drawings.any_colour(rng), rng.uniform(0.2, 0.9)).material)


def _strew(scene: Scene, share: float) -> None:
    rng = scene.rng
    most = max(1, min(30, int(0.35 / share**1.5)))
    count = 0 if rng.random() < scene.recipe["empty"] else int(rng.integers(1, min(most, 24) + 1))
    kinds = [_die_kind(rng) for _ in range(int(rng.choice([1, 1, 2, 3, 6])))]
    crowd = rng.random() < 0.3
    spread = rng.uniform(0.3, 1.0)
    for _ in range(count):
        _pip_die(scene, kinds[rng.integers(len(kinds))], spread, near=crowd)
    for _ in range(int(rng.integers(0, min(9, most + 2))) if rng.random() < scene.recipe["look_alikes"] else 0):
        _look_alike(scene, spread)


def _spot_on_table(scene: Scene, size: float, spread: float, *, near: bool) -> tuple[float, float] | None:
    """A free place for a round of radius `size`, inside the picture; `near`: touching what lies there already."""
    rng = scene.rng
    for _ in range(40):
        if near and scene.taken:
            x, y, r = scene.taken[rng.integers(len(scene.taken))]
            turn, gap = rng.uniform(0, 2 * math.pi), (r + size) * rng.uniform(0.86, 1.1)
            spot: tuple[float, float] | None = (x + gap * math.cos(turn), y + gap * math.sin(turn))
        else:
            spot = _under_pixel(scene, rng.uniform(-0.5, 0.5) * spread, rng.uniform(-0.5, 0.5) * spread)
        slack = 0.8 if near else 1.0
        if spot and all(math.dist(spot, (x, y)) > (r + size) * slack for x, y, r in scene.taken):
            scene.taken.append((*spot, size))
            return spot
    return None


def _under_pixel(scene: Scene, u: float, v: float) -> tuple[float, float] | None:
    render, data = bpy.context.scene.render, scene.camera.data
    wide = max(render.resolution_x, render.resolution_y)
    span = data.sensor_width / data.lens
    ray = Vector((u * span * render.resolution_x / wide, v * span * render.resolution_y / wide, -1))
    eye = scene.camera.matrix_world.translation
    way = scene.camera.matrix_world.to_3x3() @ ray
    if way.z >= -1e-3:
        return None
    spot = eye + way * (eye.z / -way.z)
    return None if (spot - eye).length > 2.2 * scene.distance else (spot.x, spot.y)


@dataclass
class DieKind:
    """A set of pip dice: one mesh shape, one look, one size."""

    cube: shapes.Cube
    material: Any
    colour: drawings.Colour
    edge: float
    mirrored: bool
    turns: NDArray[np.int64]


def _die_kind(rng: Rng) -> DieKind:
    body = drawings.any_colour(rng)
    radius = rng.choice([rng.uniform(0.02, 0.12), rng.uniform(0.1, 0.45)])
    ball = rng.choice([1.8, rng.uniform(1.28, 1.6)])
    cube = shapes.rounded_cube(radius, ball)
    return DieKind(
        cube, die_stuff(rng, body), body, rng.uniform(0.7, 1.3), bool(rng.random() < 0.5), rng.integers(0, 4, 6)
    )


def _pip_die(scene: Scene, kind: DieKind, spread: float, *, near: bool) -> None:
    rng = scene.rng
    half = kind.edge / 2
    spot = _spot_on_table(scene, half * 1.25, spread, near=near)
    if spot is None:
        return
    value = int(rng.integers(1, 7))
    sides = shapes.faces_with_up(value, kind.mirrored, int(rng.integers(4)))
    mesh = _die_mesh(kind, sides)
    thing = bpy.data.objects.new("d6", mesh)
    bpy.context.scene.collection.objects.link(thing)
    cocked = rng.random() < scene.recipe["cocked"]
    turn = Matrix.Rotation(rng.uniform(0, 2 * math.pi), 4, "Z")
    if cocked:
        tilt = math.radians(rng.uniform(12, 40))
        axis = Vector((math.cos(rng.uniform(0, 6.3)), math.sin(rng.uniform(0, 6.3)), 0)).normalized()
        turn = turn @ Matrix.Rotation(tilt, 4, axis)
        lift = half * (math.cos(tilt) + 0.9 * math.sin(tilt))
    else:
        tilt, lift = 0.0, half
    thing.matrix_world = Matrix.Translation((*spot, lift)) @ turn @ Matrix.Scale(half, 4)
    on_top = np.zeros(len(kind.cube.vertices), bool)
    inner = (kind.cube.side == 0) & (np.abs(kind.cube.uv).max((1, 2)) < 0.8)
    on_top[kind.cube.quads[inner].ravel()] = True
    scene.dice.append(Placed(thing, value if tilt < math.radians(28) else None, kind.colour, on_top))


def _die_mesh(kind: DieKind, sides: list[int]) -> Any:
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(kind.cube.vertices.tolist(), [], kind.cube.quads.tolist())
    cell = np.array(sides)[kind.cube.side] - 1
    quarter = kind.turns[cell]
    u, v = kind.cube.uv[..., 0], kind.cube.uv[..., 1]
    for _ in range(3):
        spin = (quarter > 0)[:, None]
        u, v = np.where(spin, -v, u), np.where(spin, u, v)
        quarter = quarter - 1
    columns, rows = drawings.PIP_GRID
    x = (cell % columns)[:, None] + (np.clip(u, -0.98, 0.98) + 1) / 2
    y = rows - 1 - (cell // columns)[:, None] + (np.clip(v, -0.98, 0.98) + 1) / 2
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", np.stack([x / columns, y / rows], -1).astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.materials.append(kind.material)
    mesh.update()
    return mesh


def _look_alike(scene: Scene, spread: float) -> None:
    makers = [_numeral_die, _numeral_die, _numeral_die, _domino, _disc, _cube, _stick, _card, _ball]
    makers[scene.rng.integers(len(makers))](scene, spread)


def _stand(scene: Scene, thing: Any, spot: tuple[float, float], lift: float, turn: Quaternion | None = None) -> None:
    spin = Matrix.Rotation(scene.rng.uniform(0, 2 * math.pi), 4, "Z")
    thing.matrix_world = (
        Matrix.Translation((*spot, lift)) @ spin @ (turn or Quaternion()).to_matrix().to_4x4() @ thing.matrix_world
    )
    scene.others.append(thing)


def _numeral_die(scene: Scene, spread: float) -> None:
    """Any die with numerals (d4 to d20, or a d6 without pips), lying on a face."""
    rng = scene.rng
    count = int(rng.choice([4, 6, 8, 10, 12, 20]))
    size = rng.uniform(0.5, 1.0)
    spot = _spot_on_table(scene, size, spread, near=bool(rng.random() < 0.3))
    if spot is None:
        return
    corners = (
        np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T / 3**0.5 if count == 6 else shapes.polyhedron(count)
    )
    thing, down = _faceted(rng, corners * size, count)
    turn = down.rotation_difference(Vector((0, 0, -1)))
    lowest = min((turn @ Vector(c)).z for c in corners * size)
    _stand(scene, thing, spot, -lowest, turn)


def _faceted(rng: Rng, corners: NDArray[np.float64], count: int) -> tuple[Any, Vector]:
    import bmesh

    body = drawings.any_colour(rng)
    shell = bmesh.new()
    for corner in corners:
        shell.verts.new(corner)
    bmesh.ops.convex_hull(shell, input=shell.verts)
    bmesh.ops.dissolve_limit(shell, angle_limit=0.02, verts=shell.verts, edges=shell.edges)
    shell.normal_update()
    layer = shell.loops.layers.uv.new("uv")
    columns, rows = drawings.NUMERAL_GRID
    for i, face in enumerate(shell.faces):
        middle, right = face.calc_center_median(), face.calc_tangent_edge()
        up = face.normal.cross(right)
        inner = min((e.verts[0].co + e.verts[1].co - 2 * middle).length / 2 for e in face.edges)
        cell = i % (columns * rows)
        for loop in face.loops:
            away = loop.vert.co - middle
            u, v = (min(0.49, max(-0.49, away.dot(axis) / inner / 2.4)) for axis in (right, up))
            loop[layer].uv = ((cell % columns + 0.5 + u) / columns, (rows - 0.5 - cell // columns + v) / rows)
    down = shell.faces[:][rng.integers(len(shell.faces))].normal.copy()
    mesh = bpy.data.meshes.new("numerals")
    shell.to_mesh(mesh)
    shell.free()
    stuff = Stuff(body, rng.uniform(0.05, 0.6))
    if rng.random() < 0.3:
        stuff.mix(
            drawings.any_colour(rng),
            stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(1, 8), 0.45, 0.6, distortion=2),
        )
    labels = [str(n) for n in rng.permutation(np.arange(1, count + 1))]
    atlas = stuff.picture(
        drawings.numeral_atlas(rng, labels, drawings.contrasting(rng, body), FONTS), stuff.coordinates("UV", (1, 1, 1))
    )
    stuff.mix(atlas.outputs["Color"], atlas.outputs["Alpha"])
    if rng.random() < 0.2:
        stuff.set(Transmission_Weight=0.8)
    mesh.materials.append(stuff.material)
    thing = bpy.data.objects.new("numerals", mesh)
    bpy.context.scene.collection.objects.link(thing)
    edge = thing.modifiers.new("edge", "BEVEL")
    edge.width, edge.segments = float(np.ptp(corners) * rng.uniform(0.005, 0.03)), 2
    return thing, down


def _domino(scene: Scene, spread: float) -> None:
    rng = scene.rng
    w = rng.uniform(0.5, 1.1)
    spot = _spot_on_table(scene, w, spread, near=bool(rng.random() < 0.3))
    if spot is None:
        return
    bpy.ops.mesh.primitive_cube_add(size=1)
    tile = bpy.context.object
    tile.matrix_world = Matrix.Diagonal((w * 2, w, w * 0.35, 1))
    body = drawings.any_colour(rng)
    ink = drawings.contrasting(rng, body)
    stuff = Stuff(body, rng.uniform(0.1, 0.6))
    faces, _ = drawings.pip_atlas(rng, ink)
    cell = drawings.CELL
    a, b = (int(n) for n in rng.integers(0, 6, 2))
    ends = [faces[n // 3 * cell : (n // 3 + 1) * cell, n % 3 * cell : (n % 3 + 1) * cell] for n in (a, b)]
    face = np.concatenate(ends, axis=1)
    face[10:-10, cell - 2 : cell + 2] = (*ink, 1)
    where = stuff.coordinates("Generated", (1, 1, 1))
    picture = stuff.picture(face, where)
    stuff.mix(picture.outputs["Color"], picture.outputs["Alpha"])
    tile.data.materials.append(stuff.material)
    _stand(scene, tile, spot, w * 0.175)


def _disc(scene: Scene, spread: float) -> None:
    """A coin, a button with holes, a poker chip or a pawn's foot."""
    rng = scene.rng
    r = rng.uniform(0.3, 0.9)
    spot = _spot_on_table(scene, r, spread, near=bool(rng.random() < 0.3))
    if spot is None:
        return
    tall = rng.choice([0.1, 0.2, 1.5])
    bpy.ops.mesh.primitive_cylinder_add(vertices=40, radius=r, depth=tall)
    disc = bpy.context.object
    body = drawings.any_colour(rng)
    stuff = Stuff(body, rng.uniform(0.1, 0.6))
    if rng.random() < 0.3:
        stuff.set(Metallic=1.0)
    elif rng.random() < 0.6:
        faces, _ = drawings.pip_atlas(rng, drawings.contrasting(rng, body))
        n, cell = int(rng.choice([0, 1, 3])), drawings.CELL
        hole = faces[n // 3 * cell : (n // 3 + 1) * cell, n % 3 * cell : (n % 3 + 1) * cell]
        picture = stuff.picture(hole, stuff.coordinates("Generated", (1, 1, 1)))
        stuff.mix(picture.outputs["Color"], picture.outputs["Alpha"])
    disc.data.materials.append(stuff.material)
    _stand(scene, disc, spot, tall / 2)


def _cube(scene: Scene, spread: float) -> None:
    """A sugar cube, a wooden resource cube, a blank die."""
    rng = scene.rng
    edge = rng.uniform(0.4, 1.2)
    spot = _spot_on_table(scene, edge * 0.7, spread, near=bool(rng.random() < 0.3))
    if spot is None:
        return
    bpy.ops.mesh.primitive_cube_add(size=edge)
    cube = bpy.context.object
    cube.modifiers.new("edge", "BEVEL").width = edge * rng.uniform(0.01, 0.1)
    stuff = Stuff(drawings.any_colour(rng), rng.uniform(0.1, 0.9))
    stuff.bump(stuff.noise(stuff.coordinates("Object", (1, 1, 1)), 12, 0, 1), 0.5, 0.05)
    cube.data.materials.append(stuff.material)
    _stand(scene, cube, spot, edge / 2)


def _stick(scene: Scene, spread: float) -> None:
    """A pencil, a match, a finger's worth of cylinder."""
    rng = scene.rng
    r, length = rng.uniform(0.1, 0.45), rng.uniform(2, 8)
    spot = _spot_on_table(scene, r * 2, spread, near=False)
    if spot is None:
        return
    bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=r, depth=length)
    stick = bpy.context.object
    stick.data.materials.append(Stuff(drawings.any_colour(rng), rng.uniform(0.1, 0.7)).material)
    _stand(scene, stick, spot, r, Quaternion((1, 0, 0), math.pi / 2))


def _card(scene: Scene, spread: float) -> None:
    """A card or a slip of print under or beside the dice."""
    rng = scene.rng
    spot = _under_pixel(scene, rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4))
    if spot is None:
        return
    bpy.ops.mesh.primitive_plane_add(size=1)
    card = bpy.context.object
    w = rng.uniform(2, 6)
    card.matrix_world = Matrix.Diagonal((w, w * 1.4, 1, 1))
    stuff = Stuff((1, 1, 1), rng.uniform(0.2, 0.6))
    stuff.paint(
        stuff.picture(drawings.printed_sheet(rng, FONTS, 384), stuff.coordinates("Generated", (1, 1, 1))).outputs[
            "Color"
        ]
    )
    card.data.materials.append(stuff.material)
    _stand(scene, card, spot, rng.uniform(0.005, 0.02))


def _ball(scene: Scene, spread: float) -> None:
    """A marble or a bead."""
    rng = scene.rng
    r = rng.uniform(0.25, 0.7)
    spot = _spot_on_table(scene, r, spread, near=bool(rng.random() < 0.3))
    if spot is None:
        return
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, segments=32, ring_count=16)
    ball = bpy.context.object
    bpy.ops.object.shade_smooth()
    ball.data.materials.append(die_stuff(rng, drawings.any_colour(rng)))
    _stand(scene, ball, spot, r)
