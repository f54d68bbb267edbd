"""How many dominoes pass for two dice, and how many pairs of dice."""

from pathlib import Path

import pytest
from rich.console import Console

from datasets.evaluate import pairs
from datasets.evaluate.pairs import Judges, Passes
from models import load_manifest
from vision.classify.outlines import OutlineReader
from vision.photo import load
from vision.reader import TableReader

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def test_dominoes_of_a_photo_pass_for_none(reader: TableReader):
    shown = list(pairs.dominoes(load(DOCS / "sample-hand.jpg"), reader))
    assert len(shown) >= 3
    judges = Judges(load_manifest())
    for picture, tile in shown:
        assert judges.passes(picture, tile).both < 0.25


def test_dice_that_are_pushed_together_do(reader: TableReader):
    manifest = load_manifest()
    photo = load(DOCS / "sample-throw.jpg")
    shown = list(pairs.pairs(photo, reader, OutlineReader(manifest["outlines"])))
    assert shown
    judges = Judges(manifest)
    for name, (picture, tile) in shown:
        assert name in ("nearly touch", "are pushed together")
        assert judges.passes(picture, tile).whole > 0.5


def test_what_is_printed_counts_both_thresholds():
    console = Console(width=120, record=True)
    console.print(pairs.table_of({"dominoes, crops": [Passes(0.5, 0.1, 0.1), Passes(0.1, 0.9, 0.6)]}))
    (row,) = [line for line in console.export_text().splitlines() if "dominoes, crops" in line]
    assert row.count("50.0%") == 4
