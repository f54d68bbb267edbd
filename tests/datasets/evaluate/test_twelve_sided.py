"""How well the networks tell twelve-sided dice from others: on dice drawn here."""

import sys

import numpy as np

from datasets.evaluate import twelve_sided
from datasets.generate.drawn.dice import D12, OTHER, draw_class
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop


def test_the_share_of_the_wrong_kind_by_how_much_likelier_a_twelve_sided_die_is_held_to_be():
    odds = np.array([0.01, 0.06, 0.15, 4.0])
    assert twelve_sided.wrong(odds, True, (1, 10, 200)) == [0.75, 0.5, 0.0]
    assert twelve_sided.wrong(odds, False, (1, 10, 200)) == [0.25, 0.5, 1.0]


def test_drawn_dice_go_through_the_shipped_networks(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(3)
    made = [draw_class(rng, label) for label in [OTHER] * 6 + [D12 + value for value in range(12)]]
    crops = [StoredCrop.of(pixels, label) for pixels, label in made]
    (tmp_path / "drawn").mkdir()
    crop_files.write(tmp_path / "drawn" / "1-0.npz", crops)
    crop_files.write(
        tmp_path / "cuts.npz", [StoredCrop.of(np.pad(crops[0].pixels, ((40, 40), (40, 40), (0, 0))), OTHER)]
    )
    monkeypatch.setattr(
        sys, "argv", ["twelve_sided", "--cuts", str(tmp_path / "cuts.npz"), "--drawn", str(tmp_path / "drawn")]
    )
    twelve_sided.main()
    rows = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    told = {tuple(row[:2]): row[2:] for row in rows if row[:1] in (["drawn,"], ["photographed,"])}
    assert [
        told[name][0] for name in (("drawn,", "twelve-sided"), ("drawn,", "others"), ("photographed,", "others"))
    ] == [
        "12",
        "6",
        "1",
    ]
    shares = [float(share.rstrip("%")) for share in told["drawn,", "twelve-sided"][1:]]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 20
