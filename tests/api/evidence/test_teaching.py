from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from api.evidence.teaching import as_shown
from vision.levels import levelled
from vision.photo import load
from vision.reader import TableReader
from vision.taught.labelling import Said, taught_from

THROW = Path("docs/sample-throw.jpg")


def test_pieces_of_a_faint_photo_are_as_shown_as_it_is_and_as_it_is_read() -> None:
    """Versions before the levels of photos cut them from the photo as it is."""
    data = BytesIO()
    Image.fromarray((np.asarray(Image.open(THROW)) * 0.2 + 80).astype(np.uint8)).save(data, "JPEG")
    photo = load(data.getvalue())
    die, other = TableReader().read(photo).dice[:2]
    said = Said("d6", (die.value,), die.box[0], box=die.box)
    (before,), (now,) = taught_from(photo, [], [said]), taught_from(levelled(photo), [], [said])
    assert before.jpeg != now.jpeg
    assert as_shown([before, now], [said], photo, None) == [before, now]
    (elsewhere,) = taught_from(levelled(photo), [], [replace(said, box=other.box)])
    assert as_shown([replace(now, jpeg=elsewhere.jpeg)], [said], photo, None) == []
