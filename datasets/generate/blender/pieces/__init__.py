"""The pieces of a Blender scene, and their look-alikes."""
