"""Twelve-sided dice drawn without a renderer: crops that teach the reader of d12 faces, a few milliseconds each.

A small rasteriser: a convex body (`parts.solids`) lies on a table (`tables`), every face that the camera sees gets its numeral by
a homography (`die_faces`), a map of the normals (blurred, so that edges are round) is lit per pixel (`shading`), and the picture
then suffers what phones do to pictures (`photo`). Begin at `dice`. Which crop is drawn depends only on the generator and
on the fonts of this machine.
"""
