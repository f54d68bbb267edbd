"""Cheap training scenes for the detector: dominoes and dice of all kinds, drawn on real photos and drawn grounds.

Start reading at `scenes`. Lengths on the table are in widths of a tile, the table is the plane z = 0, x to the right and y away.
Colours are blended as squares of the stored values, an approximation of linear light under sRGB's curve.
`python -m datasets.generate.composite` makes the scenes.
"""
