"""Cheap training scenes for the detector: dominoes and dice of all kinds, drawn on real photos and drawn grounds.

Begin at `scenes`. Lengths on the table are in widths of a tile, the table is the plane z = 0, x to the right and y away.
Colours are blended as squares of the stored values, which stands in for sRGB's curve.
`python -m datasets.generate.composite` makes the scenes.
"""
