import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from datasets.evaluate import against
from datasets.evaluate.against import POOLED, Comparison, Pair, UnknownRunError, Verdict, compare, earlier
from datasets.evaluate.measuring import Result, result_of
from datasets.labels.truth import Piece, Truth
from vision.reading import Die, Doubt, Reading

BOX = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def result(name: str, *, exact: bool, part: str = "dice-dev", same: bool = False, doubted: bool = False) -> Result:
    die = Die(1 if exact else 2, 0.9, ((1, 0.9),), BOX, "white")
    doubts = (Doubt("uncertain-value", "?", 0),) if doubted else ()
    truth = Truth(Path(name), name, part, "s", (Piece("d6", (1,)),), same_camera_as_train=same)
    return result_of(truth, Reading(name, "0", 9, 9, (die,), doubts, {}, {}))


def report(**exact: bool) -> dict[str, Any]:
    return {"photos": [{"file": name, "exact": each, "doubts": []} for name, each in exact.items()]}


def comparison(gained: int, lost: int) -> Comparison:
    pairs = [Pair(f"g{i}", False, True, False, False) for i in range(gained)]
    return Comparison((*pairs, *(Pair(f"l{i}", True, False, False, False) for i in range(lost))))


def test_photos_are_paired_by_name():
    now = {
        "dice-dev": [
            result("a", exact=True),
            result("b", exact=False),
            result("c", exact=True),
            result("new", exact=True),
        ]
    }
    lines = compare({"dice-dev": report(a=False, b=True, c=True, gone=True)}, now)
    assert list(lines) == ["dice-dev", POOLED]
    assert (lines["dice-dev"].gained, lines["dice-dev"].lost, len(lines["dice-dev"].pairs)) == (("a",), ("b",), 3)
    assert lines["dice-dev"].p == 1


def test_crops_renders_and_known_cameras_are_not_pooled():
    now = {
        "dice-dev": [result("a", exact=True), result("b", exact=True, same=True)],
        "domino-dev": [result("m", exact=True, part="mixed"), result("c", exact=True, part="crops")],
        "renders": [result("r", exact=True, part="renders")],
    }
    before = {"dice-dev": report(a=False, b=False), "domino-dev": report(m=False, c=False), "renders": report(r=False)}
    lines = compare(before, now)
    assert lines[POOLED].gained == ("a", "m")
    assert list(lines) == [
        "dice-dev",
        "dice-dev, same_camera_as_train",
        "domino-dev: mixed",
        "domino-dev: crops",
        "renders",
        POOLED,
    ]


def test_where_only_crops_were_read_all_are_pooled():
    lines = compare({"d12-crops": report(a=False)}, {"d12-crops": [result("a", exact=True, part="d12-crops")]})
    assert (list(lines), lines["pooled"].gained) == (["d12-crops", "pooled"], ("a",))


@pytest.mark.parametrize(
    ("gained", "lost", "verdict"),
    [
        (0, 0, "INDISTINGUISHABLE"),
        (5, 0, "INDISTINGUISHABLE"),
        (6, 0, "BETTER"),
        (1, 9, "WORSE"),
        (12, 9, "INDISTINGUISHABLE"),
    ],
)
def test_better_only_where_chance_seldom_does_as_much(gained: int, lost: int, verdict: str):
    assert comparison(gained, lost).verdict == Verdict[verdict]


def test_silent_errors_stand_beside(capsys: pytest.CaptureFixture[str]):
    now = {"dice-dev": [result("a", exact=False, doubted=True), result("b", exact=False)]}
    lines = compare({"dice-dev": report(a=False, b=True)}, now)
    pairs = lines["dice-dev"].pairs
    assert [(pair.silent_before, pair.silent_now) for pair in pairs] == [(True, False), (False, True)]
    assert against.show(Console(width=150), lines) == Verdict.INDISTINGUISHABLE
    assert "dice-dev, lost: b" in capsys.readouterr().out


def test_an_earlier_run_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "dice-dev.json").write_text(json.dumps(report(a=True)))
    assert earlier(str(tmp_path), ["dice-dev", "d12-dev"]) == {"dice-dev": report(a=True)}
    assert "has no results of d12-dev: not compared" in capsys.readouterr().err
    with pytest.raises(UnknownRunError, match="no results to compare with"):
        earlier(str(tmp_path), ["d12-dev"])


def test_an_earlier_run_in_a_commit(monkeypatch: pytest.MonkeyPatch):
    def shown(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        known = command == ["git", "show", "v1:models/dice-dev.json"]
        return subprocess.CompletedProcess(command, 0 if known else 128, json.dumps(report(a=True)) if known else "")

    monkeypatch.setattr(against.subprocess, "run", shown)
    assert earlier("v1", ["dice-dev", "d12-dev"]) == {"dice-dev": report(a=True)}
    with pytest.raises(UnknownRunError, match="v2"):
        earlier("v2", ["dice-dev"])
