"""Draws crops of dice and tile ends without a renderer, to train the classifiers, in a few milliseconds each.

Dice use a small rasteriser: a convex body (`parts.solids`) lies on a table or a photo (`tables`), every visible face
gets its numeral or pips by a homography (`die_faces`, `render_die`), a normal map (blurred to round the edges) is
lit per pixel (`shading`), and the picture is then degraded as by a phone's camera (`camera.crops`). Start reading at `dice`;
`dice_scenes` and `look_alikes` define the content of crops. Ends of tiles: `tiles`. A crop depends only on the generator, and
on the fonts and photos of this machine. `python -m datasets.generate.drawn` draws the dice.
"""
