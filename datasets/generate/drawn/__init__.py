"""Dice and ends of tiles drawn without a renderer: crops that teach the readers, a few milliseconds each.

Dice, a small rasteriser: a convex body (`parts.solids`) lies on a table or a photo (`tables`), every face that the camera sees
gets its numeral or pips by a homography (`die_faces`, `render_die`), a map of the normals (blurred, so that edges are round) is
lit per pixel (`shading`), and the picture then suffers what phones do to pictures (`photo`). Begin at `dice`; what may stand
in a crop is in `dice_scenes` and `look_alikes`. Ends of tiles: `tiles`. Which crop is drawn depends only on the generator,
and on the fonts and photos of this machine. `python -m datasets.generate.drawn` draws the dice.
"""
