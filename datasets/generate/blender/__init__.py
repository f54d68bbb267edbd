"""Physically based pictures of tables with dice, with exact labels, made by Blender's Cycles (the `render` extra)."""
