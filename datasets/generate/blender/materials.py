"""Blender materials for everything in a scene, built from a few node techniques."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts import drawings

Rng = np.random.Generator

# An allow list: most typefaces of a system have no figures, or figures unlike those on dice.
_USABLE = re.compile(
    r"""(Andika|BebasNeue|Cabin|Caladea|Cantarell|Carlito|Comfortaa|ComicNeue|Dosis|GilliusADF(No2)?
    |DejaVu(Sans|SansCondensed|Serif)|Free(Sans|Serif)(Bold|BoldOblique|Oblique|BoldItalic)?|GenBas|Jura|Karla|Lato|Liberation(Sans|SansNarrow|Serif)
    |LinBiolinum|Lobster(Two)?|Montserrat|Noto(Sans|Serif)(Display)?|OpenSans|Play|Roboto(Condensed|Slab)?|STIX
    |Tuffy|Ubuntu(Condensed)?|UniversalisADFStd|QuattrocentoSans|Overpass|overpass|LibrisADFStd|Junction)
    [-_]?(Regular|Medium|Bold|Black|Italic|Bold-?Italic|BoldOblique|R|RB|B|I|M|C|bold|regular)?""",
    re.VERBOSE,
)


def _fonts() -> list[str]:
    """Usable typefaces of the system, with figures as on dice, sorted by name, and the two that come with Blender."""
    own = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "fonts"
    system = {path.stem: str(path) for path in sorted(Path("/usr/share/fonts").glob("**/*.[ot]tf"))}
    usable = [system[stem] for stem in sorted(system) if _USABLE.fullmatch(stem)]
    return [str(own / "Inter.woff2"), str(own / "DejaVuSansMono.woff2"), *usable]


FONTS = _fonts()
"""The installed typefaces: the pictures of a seed depend on them."""


class Stuff:
    """A Principled material, with the few node techniques that the scenes need."""

    def __init__(self, colour: drawings.Colour, roughness: float = 0.5) -> None:
        self.material = bpy.data.materials.new("stuff")
        self.material.use_nodes = True
        self.nodes, self.links = self.material.node_tree.nodes, self.material.node_tree.links
        self.shader = next(node for node in self.nodes if node.type == "BSDF_PRINCIPLED")
        self.shader.inputs["Roughness"].default_value = roughness
        plain = self.nodes.new("ShaderNodeRGB").outputs[0]
        plain.default_value = (*_linear(colour), 1)
        self.paint(plain)

    def paint(self, colour: Any) -> None:
        """Give the whole surface a colour (socket), replacing the old one."""
        self.base = colour
        self.links.new(colour, self.shader.inputs["Base Color"])

    def set(self, **inputs: float) -> None:
        """Set inputs of the shader by name, with underscores for spaces."""
        for name, value in inputs.items():
            self.shader.inputs[name.replace("_", " ")].default_value = value

    def coordinates(self, kind: str, scale: tuple[float, float, float]) -> Any:
        """Texture coordinates (`Object`, `UV`, `Generated`), scaled."""
        mapping = self.nodes.new("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = scale
        self.links.new(self.nodes.new("ShaderNodeTexCoord").outputs[kind], mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def mix(self, over: Any, factor: Any) -> None:
        """Blend a colour (socket or sRGB triple) over the surface by `factor` (socket)."""
        mix = self.nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        self.links.new(factor, mix.inputs["Factor"])
        self.links.new(self.base, mix.inputs["A"])
        if isinstance(over, tuple):
            mix.inputs["B"].default_value = (*_linear(over), 1)
        else:
            self.links.new(over, mix.inputs["B"])
        self.paint(next(out for out in mix.outputs if out.type == "RGBA" and out.enabled))

    def ink(self, picture: Any) -> None:
        """Blend a picture (image node) over the surface by its alpha. Ink is neither glass nor metal."""
        self.mix(picture.outputs["Color"], picture.outputs["Alpha"])
        for name in ("Transmission Weight", "Metallic"):
            value = self.shader.inputs[name].default_value
            if value:
                fade = self.nodes.new("ShaderNodeMath")
                fade.operation = "MULTIPLY_ADD"
                fade.inputs[1].default_value, fade.inputs[2].default_value = -value, value
                self.links.new(picture.outputs["Alpha"], fade.inputs[0])
                self.links.new(fade.outputs[0], self.shader.inputs[name])

    def noise(self, where: Any, scale: float, low: float, high: float, *, distortion: float = 0.0) -> Any:
        """Noise mapped between two thresholds, as a factor."""
        texture = self.nodes.new("ShaderNodeTexNoise")
        texture.inputs["Scale"].default_value = scale
        texture.inputs["Distortion"].default_value = distortion
        self.links.new(where, texture.inputs["Vector"])
        ramp = self.nodes.new("ShaderNodeMapRange")
        ramp.inputs["From Min"].default_value = low
        ramp.inputs["From Max"].default_value = high
        self.links.new(texture.outputs[0], ramp.inputs["Value"])
        return ramp.outputs["Result"]

    def picture(self, pixels: NDArray[np.float32], where: Any, *, data: bool = False) -> Any:
        """An image node showing `pixels`."""
        node = self.nodes.new("ShaderNodeTexImage")
        node.image = _image(pixels, data=data)
        self.links.new(where, node.inputs["Vector"])
        return node

    def bump(self, height: Any, strength: float, distance: float, *, inwards: bool = False) -> None:
        """Make the surface follow `height` (socket)."""
        bump = self.nodes.new("ShaderNodeBump")
        bump.invert = inwards
        bump.inputs["Strength"].default_value = strength
        bump.inputs["Distance"].default_value = distance
        self.links.new(height, bump.inputs["Height"])
        self.links.new(bump.outputs["Normal"], self.shader.inputs["Normal"])


def _linear(colour: drawings.Colour) -> tuple[float, float, float]:
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return r, g, b


def _image(pixels: NDArray[np.float32], *, data: bool) -> Any:
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("drawn", width, height, alpha=True, is_data=data)
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1], np.float32).ravel())
    image.pack()
    return image


def is_plain(recipe: Mapping[str, Any]) -> bool:
    """Whether the recipe wants every die opaque, of one colour and smooth, with painted pips or numerals."""
    return bool(recipe.get("materials", "all") == "plain")


def die_stuff(rng: Rng, body: drawings.Colour, *, plain: bool = False) -> Any:
    """A material with pips in the faces of its UV atlas (`drawings.PIP_GRID`); `plain`: see `is_plain`."""
    ink = drawings.contrasting(rng, body)
    stuff = _body(rng, body, ink, plain=plain)
    faces, depth = drawings.pip_atlas(rng, ink, plain=plain)
    uv = stuff.coordinates("UV", (1, 1, 1))
    picture = stuff.picture(faces, uv)
    bare = not plain and rng.random() < 0.06
    if not bare:
        stuff.ink(picture)
    if bare or (not plain and rng.random() < 0.75):
        depths = stuff.picture(depth, uv, data=True).outputs["Color"]
        stuff.bump(depths, rng.uniform(0.7 if bare else 0.3, 1.0), rng.uniform(0.03, 0.15), inwards=True)
    return stuff.material


def numeral_stuff(rng: Rng, body: drawings.Colour, labels: Sequence[str], *, plain: bool = False) -> Any:
    """A material with numerals in the faces of its UV atlas (`drawings.NUMERAL_GRID`), printed or engraved."""
    ink = drawings.contrasting(rng, body)
    stuff = _body(rng, body, ink, plain=plain)
    atlas = drawings.numeral_atlas(rng, labels, ink, FONTS)
    picture = stuff.picture(atlas, stuff.coordinates("UV", (1, 1, 1)))
    bare = not plain and rng.random() < 0.04
    if not bare:
        stuff.ink(picture)
    if bare or (not plain and rng.random() < 0.6):
        stuff.bump(
            picture.outputs["Alpha"], rng.uniform(0.7 if bare else 0.2, 1.0), rng.uniform(0.02, 0.08), inwards=True
        )
    return stuff.material


def _body(rng: Rng, colour: drawings.Colour, ink: drawings.Colour, *, plain: bool) -> Stuff:
    """The material of a die's body; `ink` will be printed on it."""
    stuff = Stuff(colour, rng.choice([rng.uniform(0.03, 0.25), rng.uniform(0.25, 0.7)]))
    look = str(rng.choice(list(_LOOKS), p=list(_LOOKS.values())))
    if not plain and look != "plain":
        _MAKERS[look](rng, stuff, ink)
    return stuff


def _second(rng: Rng, ink: drawings.Colour) -> drawings.Colour:
    """A colour besides the body's, usually one on which the ink is visible."""
    colours = [drawings.any_colour(rng) for _ in range(4)]
    away = [abs(drawings.luminance(colour) - drawings.luminance(ink)) for colour in colours]
    return next((colour for colour, gap in zip(colours, away, strict=True) if gap > 0.25), colours[0])


def _marbled(rng: Rng, stuff: Stuff, ink: drawings.Colour) -> None:
    where = stuff.coordinates("Object", (1, 1, 1))
    veins = stuff.noise(where, rng.uniform(0.4, 2.5), 0.42, 0.6, distortion=rng.uniform(0, 4))
    stuff.mix(_second(rng, ink), veins)


def _speckled(rng: Rng, stuff: Stuff, ink: drawings.Colour) -> None:
    grains = stuff.noise(stuff.coordinates("Object", (1, 1, 1)), rng.uniform(6, 20), 0.58, 0.62)
    stuff.mix(_second(rng, ink), grains)


def _translucent(rng: Rng, stuff: Stuff, ink: drawings.Colour) -> None:
    stuff.set(Transmission_Weight=rng.uniform(0.5, 1.0), IOR=rng.uniform(1.3, 1.5), Roughness=rng.uniform(0, 0.35))


def _metal(rng: Rng, stuff: Stuff, ink: drawings.Colour) -> None:
    stuff.set(Metallic=1.0, Roughness=rng.uniform(0.1, 0.45))


def _wooden(rng: Rng, stuff: Stuff, ink: drawings.Colour) -> None:
    grain = stuff.coordinates("Object", (0.3, 2.5, 0.3))
    stuff.mix((0.3, 0.17, 0.08), stuff.noise(grain, 2, 0.4, 0.9, distortion=1))


_LOOKS = {"plain": 0.6, "marbled": 0.13, "speckled": 0.05, "translucent": 0.11, "metal": 0.06, "wooden": 0.05}
_MAKERS = {
    "marbled": _marbled,
    "speckled": _speckled,
    "translucent": _translucent,
    "metal": _metal,
    "wooden": _wooden,
}
