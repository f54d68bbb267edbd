"""The world around the pieces: camera, light, the ground with its print, a tray, the table's edge."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from datasets.generate.blender.materials import FONTS, Stuff
from datasets.generate.blender.table import Recipe, Rng, Scene, under_pixel
from datasets.generate.parts import drawings, sheets

HDRIS = sorted((Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world").glob("*.exr"))


def camera(rng: Rng, share: float, recipe: Recipe) -> tuple[Any, float]:
    """A phone somewhere above the table, and its distance from the centre, in die edges."""
    data = bpy.data.cameras.new("camera")
    data.lens = rng.uniform(22, 60)
    distance = data.lens / data.sensor_width / share
    # From straight above down to the recipe's lowest view; people mostly hold it at 40 to 80 degrees.
    low, high = recipe["lowest_view_degrees"], recipe["highest_view_degrees"]
    from_above = high == 90 and rng.random() < 0.3
    elevation = math.radians(rng.uniform(80, 90) if from_above else rng.uniform(low, high))
    eye = distance * _direction(elevation, rng.uniform(0, 2 * math.pi))
    camera = bpy.data.objects.new("camera", data)
    camera.location = eye
    # Looking straight down, a phone has no upright; looking across the table, it is held upright.
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


def _direction(elevation: float, turn: float) -> Vector:
    flat = math.cos(elevation)
    return Vector((flat * math.cos(turn), flat * math.sin(turn), math.sin(elevation)))


def light(scene: Scene) -> None:
    """A room by day, a sun through a window, a lamp near by, an evening or a night with a lamp, or coloured light."""
    rng = scene.rng
    moods: dict[str, float] = {"room": 0.36, "sun": 0.22, "window": 0.08, "lamp": 0.2, "night": 0.08, "coloured": 0.06}
    mood = str(rng.choice(list(moods), p=list(moods.values())))
    low = {"night": (0.01, 0.06), "coloured": (0.03, 0.3), "window": (0.15, 0.6)}
    dim = mood == "lamp" and rng.random() < 0.5
    _surroundings(rng, float(rng.uniform(*low.get(mood, (0.1, 0.4) if dim else (0.4, 1.3)))))
    if mood in ("sun", "window"):
        way = _sun(rng)
        if mood == "window":
            _window(scene, way)
    elif mood != "room":
        colour = _led(rng) if mood == "coloured" else _warm(rng)
        _lamp(scene, rng.uniform(1, 6) if mood == "night" else rng.uniform(4, 20), colour)
    if rng.random() < 0.3:
        _photographer(scene)


def _surroundings(rng: Rng, strength: float) -> None:
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
    background.inputs["Strength"].default_value = strength


def _warm(rng: Rng) -> drawings.Colour:
    warmth = rng.uniform(0, 0.5)
    return (1, 1 - warmth * 0.5, 1 - warmth) if rng.random() < 0.8 else (0.75, 0.85, 1)


def _led(rng: Rng) -> drawings.Colour:
    """The colour of a red, green, blue or purple lamp."""
    hues: list[drawings.Colour] = [(1, 0.08, 0.05), (0.1, 1, 0.2), (0.1, 0.25, 1), (0.7, 0.1, 1), (1, 0.1, 0.6)]
    return hues[rng.integers(len(hues))]


def _sun(rng: Rng) -> Vector:
    """Add a sun, and return the direction to it."""
    lamp = bpy.data.lights.new("sun", "SUN")
    lamp.energy, lamp.color = rng.uniform(1.5, 6), _warm(rng)
    lamp.angle = math.radians(rng.choice([0.5, 0.5, 3, 15, 40]))
    way = _direction(rng.uniform(0.4, math.pi / 2), rng.uniform(0, 2 * math.pi))
    _hang(lamp, way, way)
    return way


def _lamp(scene: Scene, strength: float, colour: drawings.Colour) -> None:
    """Add a lamp over the table, often where a glossy table reflects it into the camera."""
    rng = scene.rng
    lamp = bpy.data.lights.new("lamp", "AREA")
    lamp.shape, lamp.color = str(rng.choice(["SQUARE", "DISK"])), colour
    lamp.size = scene.distance * rng.choice([rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.9)])
    eye = scene.camera.matrix_world.translation.normalized()
    mirrored = Vector((-eye.x, -eye.y, eye.z)) + Vector(rng.normal(0, 0.25, 3).tolist())
    way = mirrored if rng.random() < 0.5 else _direction(rng.uniform(0.5, 1.5), rng.uniform(0, 2 * math.pi))
    way.z = max(way.z, 0.3)
    reach = scene.distance * rng.uniform(1.05, 2)
    lamp.energy = strength * reach**2
    _hang(lamp, way.normalized() * reach, way)


def _hang(lamp: Any, place: Vector, way: Vector) -> None:
    thing = bpy.data.objects.new(lamp.name, lamp)
    thing.location = place
    thing.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)


def _window(scene: Scene, way: Vector) -> None:
    """A wall with panes, above the camera so that it hides nothing: the sun makes bright patches with hard edges."""
    rng = scene.rng
    height = scene.distance * 1.3
    middle = way * (height / way.z)
    wide, tall = scene.distance * rng.uniform(0.15, 0.6, 2)
    xs, ys = (_panes(rng, size) for size in (wide, tall))
    far = 20 * scene.distance
    xs, ys = [-far, *xs, far], [-far, *ys, far]
    corners = [(x, y, 0.0) for y in ys for x in xs]
    walls: list[tuple[int, ...]] = [
        (j * len(xs) + i, j * len(xs) + i + 1, (j + 1) * len(xs) + i + 1, (j + 1) * len(xs) + i)
        for j in range(len(ys) - 1)
        for i in range(len(xs) - 1)
        if i % 2 == 0 or j % 2 == 0
    ]
    wall = _mesh("wall", corners, walls)
    wall.matrix_world = Matrix.Translation(middle) @ Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z")
    wall.visible_camera = wall.visible_glossy = wall.visible_diffuse = wall.visible_transmission = False


def _panes(rng: Rng, size: float) -> list[float]:
    """The edges of one to three panes along a window of some size that is not quite centred."""
    count, bar = int(rng.integers(1, 4)), 0.06 * size
    step = size / count
    start = -size / 2 + rng.normal(0, size * 0.3)
    return [float(start + k * step + side) for k in range(count) for side in (bar / 2, step - bar / 2)]


def _mesh(name: str, corners: list[tuple[float, float, float]], faces: list[tuple[int, ...]]) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _photographer(scene: Scene) -> None:
    """A dark person behind the camera: a soft shadow, and a dark reflection on a glossy table."""
    rng, eye = scene.rng, scene.camera.matrix_world
    size = scene.distance * rng.uniform(0.08, 0.35)
    bpy.ops.mesh.primitive_cube_add(size=1)
    body = bpy.context.object
    back = Matrix.Translation((size * rng.normal(0, 0.5), size * rng.normal(0, 0.5), size * 0.4))
    body.matrix_world = eye @ back @ Matrix.Diagonal((size, size * 1.6, size * 0.2, 1))
    body.visible_camera = False
    body.data.materials.append(Stuff((0.08, 0.07, 0.07), 0.8).material)


def ground_and_tray(scene: Scene) -> None:
    """The table top in one of many looks, sometimes with a printed sheet and a tray on it."""
    rng = scene.rng
    plane = _plane("ground", max(14.0, scene.distance * 4))
    ground = _plain if scene.recipe.get("materials") == "plain" else _GROUNDS[rng.choice(len(_GROUNDS), p=_SHARES)]
    plane.data.materials.append(ground(scene).material)
    if scene.recipe.get("materials") != "plain" and rng.random() < 0.16:
        _loose_sheet(scene)
    if rng.random() < scene.recipe["tray"]:
        _tray(scene)


def _plane(name: str, reach: float) -> Any:
    corners = [(x * reach, y * reach, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return _mesh(name, corners, [(0, 1, 2, 3)])


def finish(scene: Scene) -> None:
    """Finish the scene once everything is laid: add the edge of the table, with the floor beyond, where nothing lies.

    With `materials: plain` in the recipe everything becomes smooth plastic: no grain, no metal, no glass.
    """
    _clear_rim(scene)
    if scene.rng.random() < scene.recipe.get("table_edge", 0.0):
        _edge(scene)
    if scene.recipe.get("materials") == "plain":
        for material in bpy.data.materials:
            _make_plain(material)
    bpy.context.view_layer.update()


def _edge(scene: Scene) -> None:
    rng = scene.rng
    # Beyond the middle of a side of the picture, measured from the thing that lies farthest in that direction.
    sides = [(-0.5, 0.0), (0.5, 0.0), (0.0, -0.5), (0.0, 0.5), (0.5, 0.5), (-0.5, 0.5)]
    spot = under_pixel(scene, *sides[rng.integers(len(sides))])
    if spot is None or math.hypot(*spot) < 1:
        return
    out = Vector((*spot, 0)).normalized()
    out.rotate(Quaternion((0, 0, 1), rng.normal(0, 0.3)))
    things = [*(piece.thing for piece in scene.pieces), *scene.others]
    taken = max((out.dot(_corner(thing, out)) for thing in things), default=0.0)
    place = max(taken + 0.2, math.hypot(*spot) * rng.uniform(0.3, 0.95))
    along, far = Vector((-out.y, out.x, 0)), max(14.0, scene.distance * 4)
    ground = bpy.data.objects["ground"]
    for vertex, (a, b) in zip(
        ground.data.vertices, ((-far, -far), (place, -far), (place, far), (-far, far)), strict=True
    ):
        vertex.co = out * a + along * b
    floor = _plane("floor", far * 3)
    floor.location.z = -scene.distance * rng.uniform(0.15, 1.5)
    floor.data.materials.append(_GROUNDS[rng.choice(len(_GROUNDS), p=_SHARES)](scene).material)


def _corner(thing: Any, out: Vector) -> Vector:
    """The corner of a thing's bounding box that lies farthest in a direction."""
    return max((thing.matrix_world @ Vector(corner) for corner in thing.bound_box), key=out.dot)


def _make_plain(material: Any) -> None:
    tree = material.node_tree
    for node in [node for node in tree.nodes if node.type in ("TEX_NOISE", "TEX_CHECKER", "TEX_BRICK", "BUMP")]:
        tree.nodes.remove(node)
    for ramp in (node for node in tree.nodes if node.type == "MAP_RANGE"):
        ramp.inputs["Value"].default_value = -10
    for shader in (node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"):
        for name, value in {"Metallic": 0.0, "Transmission Weight": 0.0, "Roughness": 0.5}.items():
            for link in list(shader.inputs[name].links):
                tree.links.remove(link)
            shader.inputs[name].default_value = value


def _plain(scene: Scene) -> Stuff:
    rng = scene.rng
    return Stuff(drawings.any_colour(rng), rng.uniform(0.15, 0.95))


def _desk(scene: Scene) -> Stuff:
    """A plain desk, white to black, with soft reflections and a few smears."""
    rng = scene.rng
    grey = float(
        rng.choice([rng.uniform(0.6, 0.95), rng.uniform(0.3, 0.7), rng.uniform(0.02, 0.15)], p=[0.6, 0.25, 0.15])
    )
    tint = rng.normal(0, 0.02, 3)
    stuff = Stuff((grey + tint[0], grey + tint[1], grey + tint[2]), rng.uniform(0.12, 0.55))
    if rng.random() < 0.5:
        where = stuff.coordinates("Object", (1, 1, 1))
        stuff.mix((grey * 0.85, grey * 0.85, grey * 0.85), stuff.noise(where, rng.uniform(0.02, 20), 0.4, 0.9))
    return stuff


def _wood(scene: Scene) -> Stuff:
    """Wood in one piece, or in planks with dark gaps."""
    rng = scene.rng
    stuff = Stuff((rng.uniform(0.35, 0.85), rng.uniform(0.22, 0.6), rng.uniform(0.1, 0.4)), rng.uniform(0.15, 0.6))
    grain = stuff.coordinates("Object", (rng.uniform(0.05, 0.15), rng.uniform(0.8, 2.5), 1))
    streaks = stuff.noise(grain, rng.uniform(0.8, 3), 0.35, rng.uniform(0.7, 1.2), distortion=rng.uniform(0, 2))
    stuff.mix((0.25, 0.13, 0.06), streaks)
    if rng.random() < 0.45:
        brick = stuff.nodes.new("ShaderNodeTexBrick")
        wide = rng.uniform(3, 9)
        sizes = {"Scale": 1.0, "Row Height": wide}
        sizes |= {"Brick Width": wide * rng.uniform(4, 12), "Mortar Size": wide * rng.uniform(0.005, 0.03)}
        for name, size in sizes.items():
            brick.inputs[name].default_value = size
        stuff.links.new(stuff.coordinates("Object", (1, 1, 1)), brick.inputs["Vector"])
        stuff.mix((0.06, 0.04, 0.03), brick.outputs["Fac"])
    return stuff


def _felt(scene: Scene) -> Stuff:
    return _fibres(scene, scene.rng.uniform(8, 40), 0.1, drawings.any_colour(scene.rng))


def _carpet(scene: Scene) -> Stuff:
    return _fibres(scene, scene.rng.uniform(2, 9), 0.4, drawings.any_colour(scene.rng))


def _fibres(scene: Scene, scale: float, depth: float, colour: drawings.Colour) -> Stuff:
    stuff = Stuff(colour, scene.rng.uniform(0.6, 0.95))
    fine = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), scale, 0.35, 0.65)
    stuff.mix((0.6 * colour[0], 0.6 * colour[1], 0.6 * colour[2]), fine)
    stuff.bump(fine, 1.0, depth)
    return stuff


def _grass(scene: Scene) -> Stuff:
    rng = scene.rng
    stuff = _fibres(
        scene, rng.uniform(1.5, 5), 0.8, (rng.uniform(0.1, 0.4), rng.uniform(0.3, 0.55), rng.uniform(0.03, 0.2))
    )
    blades = stuff.coordinates("Object", (rng.uniform(0.5, 1), rng.uniform(3, 8), 1))
    stuff.mix((0.5, 0.5, 0.2), stuff.noise(blades, rng.uniform(1, 3), 0.5, 0.8, distortion=4))
    return stuff


def _concrete(scene: Scene) -> Stuff:
    """Concrete, stone or asphalt: grey with stains, grains and pits."""
    rng, grey = scene.rng, scene.rng.uniform(0.2, 0.75)
    stuff = Stuff((grey, grey * 0.98, grey * rng.uniform(0.88, 1)), rng.uniform(0.5, 0.95))
    where = stuff.coordinates("Object", (1, 1, 1))
    dark = grey * rng.uniform(0.4, 0.8)
    stuff.mix((dark, dark, dark), stuff.noise(where, rng.uniform(0.1, 1), 0.4, 0.8, distortion=2))
    grains = stuff.noise(where, rng.uniform(4, 15), 0.55, 0.7)
    stuff.mix((dark, dark, dark * 0.95), grains)
    stuff.bump(grains, 0.5, 0.1, inwards=True)
    return stuff


def _marble(scene: Scene) -> Stuff:
    rng = scene.rng
    stuff = _plain(scene)
    veins = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(0.2, 1.5), 0.45, 0.6, distortion=3)
    stuff.mix(drawings.any_colour(rng), veins)
    return stuff


def _check(scene: Scene) -> Stuff:
    stuff = _plain(scene)
    checker = stuff.nodes.new("ShaderNodeTexChecker")
    checker.inputs["Scale"].default_value = scene.rng.uniform(0.2, 3)
    stuff.links.new(stuff.coordinates("Object", (1, 1, 1)), checker.inputs["Vector"])
    stuff.mix(drawings.any_colour(scene.rng), checker.outputs["Fac"])
    return stuff


def _print(scene: Scene) -> Stuff:
    """A cloth or board larger than the picture; its print scaled to the picture, or to the pieces."""
    rng = scene.rng
    stuff = _plain(scene)
    side = scene.distance * rng.uniform(0.3, 1.2) if rng.random() < 0.6 else rng.uniform(4, 16)
    where = stuff.coordinates("Object", (1 / side, 1 / side, 1))
    stuff.paint(stuff.picture(sheets.printed_sheet(rng, FONTS), where).outputs["Color"])
    if rng.random() < 0.3:
        weave = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(3, 20), 0, 1)
        stuff.bump(weave, 0.3, 0.1)
    return stuff


_GROUNDS: list[Callable[[Scene], Stuff]] = [
    _desk, _plain, _wood, _felt, _carpet, _grass, _concrete, _marble, _check, _print,
]  # fmt: skip
_SHARES = np.array([24, 8, 16, 10, 7, 4, 8, 5, 3, 15]) / 100


def _loose_sheet(scene: Scene) -> None:
    """A sheet of paper, a place mat or a board that ends inside the picture."""
    rng = scene.rng
    spot = under_pixel(scene, *rng.uniform(-0.35, 0.35, 2))
    if spot is None:
        return
    wide = scene.distance * rng.uniform(0.15, 0.6)
    sheet = _plane("sheet", 0.5)
    shape = Matrix.Diagonal((wide, wide * rng.uniform(0.6, 1.5), 1, 1))
    sheet.matrix_world = Matrix.Translation((*spot, 0.004)) @ Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z") @ shape
    stuff = Stuff((1, 1, 1), rng.uniform(0.2, 0.7))
    where = stuff.coordinates("Generated", (1, 1, 1))
    stuff.paint(stuff.picture(sheets.printed_sheet(rng, FONTS), where).outputs["Color"])
    sheet.data.materials.append(stuff.material)


def _tray(scene: Scene) -> None:
    """A rim around the centre of the table, often with a floor of felt or leather."""
    rng = scene.rng
    radius, thick = scene.distance * rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.5)
    corners, turn = int(rng.choice([4, 6, 8, 64])), rng.uniform(0, 2 * math.pi)
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=corners, radius=radius, depth=rng.uniform(0.6, 2.5), end_fill_type="NOTHING", rotation=(0, 0, turn)
    )
    rim = bpy.context.object
    rim.name, rim.location.z = "rim", 0.3
    wall = rim.modifiers.new("wall", "SOLIDIFY")
    wall.thickness, wall.offset = thick, 1
    rim.data.materials.append(Stuff(drawings.any_colour(rng), rng.uniform(0.2, 0.9)).material)
    if rng.random() < 0.6:
        bpy.ops.mesh.primitive_circle_add(
            vertices=corners, radius=radius, fill_type="NGON", location=(0, 0, 0.006), rotation=(0, 0, turn)
        )
        floor = _plain if scene.recipe.get("materials") == "plain" else (_felt, _plain, _wood)[rng.integers(3)]
        bpy.context.object.data.materials.append(floor(scene).material)


def _clear_rim(scene: Scene) -> None:
    """Remove the tray's rim if a piece crosses it, as a long chain does."""
    rim = bpy.data.objects.get("rim")
    if rim is None:
        return
    points = np.array([vertex.co[:2] for vertex in rim.data.vertices])
    outer = float(np.linalg.norm(points, axis=1).max())
    inner = outer * math.cos(2 * math.pi / len(points))
    for piece in scene.pieces:
        matrix = piece.thing.matrix_world
        reach = [(matrix @ Vector(corner)).xy.length for corner in piece.thing.bound_box]
        if min(reach) < outer + 0.5 and max(reach) > inner:
            bpy.data.objects.remove(rim)
            return
