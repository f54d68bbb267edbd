"""What things are made of: Blender materials, put together from a few node tricks."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from datasets.render import drawings

Rng = np.random.Generator


class Stuff:
    """A Principled material, with the few node tricks that the scenes need."""

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
        """Give the whole surface a colour (socket), in place of what it had."""
        self.base = colour
        self.links.new(colour, self.shader.inputs["Base Color"])

    def set(self, **inputs: float) -> None:
        """Set inputs of the shader by name, underscores for blanks."""
        for name, value in inputs.items():
            self.shader.inputs[name.replace("_", " ")].default_value = value

    def coordinates(self, kind: str, scale: tuple[float, float, float]) -> Any:
        """Texture coordinates (`Object`, `UV`, `Generated`), scaled."""
        mapping = self.nodes.new("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = scale
        self.links.new(self.nodes.new("ShaderNodeTexCoord").outputs[kind], mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def mix(self, over: Any, factor: Any) -> None:
        """Lay a colour (socket or sRGB triple) over what there is, where `factor` (socket) says so."""
        mix = self.nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        self.links.new(factor, mix.inputs["Factor"])
        self.links.new(self.base, mix.inputs["A"])
        if isinstance(over, tuple):
            mix.inputs["B"].default_value = (*_linear(over), 1)
        else:
            self.links.new(over, mix.inputs["B"])
        self.paint(next(out for out in mix.outputs if out.type == "RGBA" and out.enabled))

    def noise(self, where: Any, scale: float, low: float, high: float, *, distortion: float = 0.0) -> Any:
        """Noise pressed between two thresholds, as a factor."""
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


def die_stuff(rng: Rng, body: drawings.Colour) -> Any:
    """A material with pips in the faces of its UV atlas: plain, marbled, speckled, translucent, metal or wood."""
    pip = drawings.contrasting(rng, body)
    stuff = Stuff(body, rng.choice([rng.uniform(0.03, 0.25), rng.uniform(0.25, 0.7)]))
    look = rng.random()
    where = stuff.coordinates("Object", (1, 1, 1))
    if look < 0.14:
        stuff.mix(
            drawings.any_colour(rng), stuff.noise(where, rng.uniform(0.4, 2.5), 0.42, 0.6, distortion=rng.uniform(0, 4))
        )
    elif look < 0.18:
        stuff.mix(drawings.any_colour(rng), stuff.noise(where, rng.uniform(8, 20), 0.58, 0.62))
    elif look < 0.3:
        stuff.set(Transmission_Weight=rng.uniform(0.5, 1.0), IOR=rng.uniform(1.3, 1.5), Roughness=rng.uniform(0, 0.35))
    elif look < 0.36:
        stuff.set(Metallic=1.0, Roughness=rng.uniform(0.1, 0.45))
    elif look < 0.42:
        grain = stuff.coordinates("Object", (0.3, 2.5, 0.3))
        stuff.mix((0.3, 0.17, 0.08), stuff.noise(grain, 2, 0.4, 0.9, distortion=1))
    faces, depth = drawings.pip_atlas(rng, pip)
    uv = stuff.coordinates("UV", (1, 1, 1))
    picture = stuff.picture(faces, uv)
    stuff.mix(picture.outputs["Color"], picture.outputs["Alpha"])
    if look >= 0.18 and look < 0.36:  # paint is neither glass nor metal
        opaque = stuff.nodes.new("ShaderNodeMath")
        opaque.operation = "MULTIPLY_ADD"
        name = "Transmission Weight" if look < 0.3 else "Metallic"
        value = stuff.shader.inputs[name].default_value
        opaque.inputs[1].default_value, opaque.inputs[2].default_value = -value, value
        stuff.links.new(picture.outputs["Alpha"], opaque.inputs[0])
        stuff.links.new(opaque.outputs[0], stuff.shader.inputs[name])
    drilled = rng.random()
    if drilled < 0.75:
        stuff.bump(
            stuff.picture(depth, uv, data=True).outputs["Color"],
            rng.uniform(0.3, 1.0),
            rng.uniform(0.03, 0.15),
            inwards=True,
        )
    return stuff.material
