"""The pieces of a Blender scene, and what looks like one."""
