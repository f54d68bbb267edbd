"""Turns readings of photos with ground truth into figures: by source, pooled, ready for JSON.

What is counted
    pieces               dice, and face-up tiles, by the ground truth; a piece is `found` if there is a reading for it,
                         right or not
    exact                photos with all pieces right and none extra
    of its kinds         photos that are exact if extra pieces of kinds that are not on the table do not count, as in a game
                         that names its kinds of piece
    silent errors        photos that are not exact and have no doubt
    judged               the pieces and the extra readings: all that can be right, wrong and flagged
    flagged              judged pieces that a doubt names; a missed or an extra one is flagged if the photo has any doubt
    wrong, not flagged   judged pieces that are misread, missed or extra, and not flagged
    right, doubted       right pieces that a doubt names nevertheless
    given a piece        photos with an extra piece; `sure` if no doubt names it
    calibration          the confidence of every reading against whether it is right; photos with ambiguous pieces at unknown
                         positions are left out
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from datasets.evaluate.matching import Match, Pair, ReadPiece, match
from datasets.evaluate.statistics import expected_calibration_error, wilson
from datasets.labels.truth import Truth, label
from vision.reading import Reading

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
Confusion = dict[str, dict[str, dict[str, int]]]
"""The number of times each face was read as each other face, by kind: dice by value, tiles by end."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one photo."""

    truth: Truth
    match: Match
    doubts: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """All pieces right, and none extra."""
        return self.match.exact

    @property
    def exact_of_its_kinds(self) -> bool:
        """All pieces right, and no extra piece of the kinds on the table."""
        kinds = {piece.kind for piece in self.truth.pieces}
        extra = [seen for seen in self.match.extra if seen.kind in kinds]
        return not (self.match.missed or self.match.misread or extra)

    @property
    def silent(self) -> bool:
        """Not exact, and without a doubt."""
        return not self.exact and not self.doubts

    @property
    def given(self) -> bool:
        """A piece was read that is not on the table."""
        return bool(self.match.extra)

    @property
    def given_sure(self) -> bool:
        """A piece was read that is not on the table, and no doubt names it."""
        return any(not seen.flagged for seen in self.match.extra)

    @property
    def judged(self) -> list[tuple[bool, bool]]:
        """For every piece and every extra reading: whether it is right, and whether it was flagged."""
        doubted = bool(self.doubts)
        found = [(True, seen.flagged) for seen in self.match.right] + [(False, s.flagged) for s in self.match.misread]
        return found + [(False, doubted)] * (len(self.match.missed) + len(self.match.extra))

    def to_json(self) -> dict[str, Any]:
        """The reading of the photo. Keys about tiles are only present if there are tiles, real or read."""
        found, truth = self.match, self.truth
        read = sorted(_all_read(found), key=lambda seen: (seen.face, seen.confidence))
        dice, tiles = ([s for s in read if s.kind != "domino"], [s for s in read if s.kind == "domino"])
        about_tiles = {
            "truth_tiles": [label(piece.face) for piece in sorted(truth.tiles, key=lambda piece: piece.face)],
            "face_down": truth.face_down,
            "read_tiles": [label(seen.face) for seen in tiles],
            "tile_confidences": [round(seen.confidence, 4) for seen in tiles],
        }
        return {
            "file": truth.file,
            "source": truth.source,
            "hard": truth.hard,
            "same_camera_as_train": truth.same_camera_as_train,
            "truth": sorted(piece.face[0] for piece in truth.dice),
            "ambiguous": truth.ambiguous + len(truth.unclear),
            "read": [seen.face[0] for seen in dice],
            "kinds": [seen.kind for seen in dice],
            "confidences": [round(seen.confidence, 4) for seen in dice],
            **(about_tiles if truth.tiles or truth.face_down or tiles else {}),
            "doubts": list(self.doubts),
            "exact": self.exact,
            **_counts([self]),
        }


def measure(truths: Iterable[Truth], read: Callable[[Truth], Reading]) -> list[Result]:
    """Read every photo and compare."""
    return [result_of(truth, read(truth)) for truth in truths]


def result_of(truth: Truth, reading: Reading) -> Result:
    """One reading compared with the truth."""
    doubts = tuple(f"{doubt.reason}: {doubt.message}" for doubt in reading.doubts)
    return Result(truth, match(truth, reading), doubts)


def groups(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results by source and pooled, for each part of the folder; hard photos and known cameras separately."""
    parts = list(dict.fromkeys(result.truth.part for result in results))
    named: dict[str, list[Result]] = {}
    for part in parts:
        prefix = f"{part}: " if len(parts) > 1 else ""
        inside = _groups_of_part([result for result in results if result.truth.part == part])
        named |= {prefix + name: group for name, group in inside.items()}
    return named


def _groups_of_part(results: Sequence[Result]) -> dict[str, list[Result]]:
    named: dict[str, list[Result]] = {}
    for result in results:
        named.setdefault(result.truth.source, []).append(result)
    by_difficulty = {
        "of these, hard": [result for result in fresh(results) if result.truth.hard],
        "of these, not hard": [result for result in fresh(results) if not result.truth.hard],
    }
    known = [result for result in results if result.truth.same_camera_as_train]
    return {
        **(named if len(named) > 1 else {}),
        "pooled, without same_camera_as_train" if known else "pooled": fresh(results),
        **(by_difficulty if all(by_difficulty.values()) else {}),
        **({"same_camera_as_train": known} if known else {}),
    }


def fresh(results: Iterable[Result]) -> list[Result]:
    """The results on new tables: without `same_camera_as_train`."""
    return [result for result in results if not result.truth.same_camera_as_train]


def confident_and_right(results: Iterable[Result]) -> list[tuple[float, bool]]:
    """The confidence of every reading, and whether it is right; photos with ambiguous pieces are left out."""
    clear = [result.match for result in results if result.truth.ambiguous == 0]
    right = [(seen.confidence, True) for found in clear for seen in found.right]
    return right + [(seen.confidence, False) for found in clear for seen in (*found.misread, *found.extra)]


def summary(results: Sequence[Result]) -> dict[str, Any]:
    """The figures of one group, ready for JSON."""
    exact = sum(result.exact for result in results)
    silent = sum(result.silent for result in results)
    counts = _counts(results)
    pieces = counts["right"] + counts["missed"] + counts["misread"]
    read = counts["right"] + counts["extra"] + counts["misread"]
    doubted_right = sum(result.exact and bool(result.doubts) for result in results)
    return {
        "photos": len(results),
        "exact": exact,
        "exact_share": _share(exact, len(results)),
        "exact_wilson_95": interval(exact, len(results)),
        "exact_of_its_kinds": sum(result.exact_of_its_kinds for result in results),
        "pieces": pieces,
        **counts,
        "found": counts["right"] + counts["misread"],
        "recall": _share(counts["right"], pieces),
        "right_wilson_95": interval(counts["right"], pieces),
        "precision": _share(counts["right"], read),
        "silent_errors": silent,
        "silent_share": _share(silent, len(results)),
        **_flagged([judged for result in results for judged in result.judged]),
        **_right_doubted(results),
        **_given(results),
        "doubted": sum(bool(result.doubts) for result in results),
        "doubted_share": _share(sum(bool(result.doubts) for result in results), len(results)),
        "doubted_among_exact": _share(doubted_right, exact),
        "expected_calibration_error": round(expected_calibration_error(confident_and_right(results), EDGES), 4),
    }


def _counts(results: Iterable[Result]) -> dict[str, int]:
    names = ("right", "missed", "extra", "misread")
    counted = dict.fromkeys(names, 0)
    for result in results:
        for name in names:
            counted[name] += len(getattr(result.match, name))
    return counted


def _flagged(judged: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    flagged = sum(flag for _, flag in judged)
    unflagged = sum(not right and not flag for right, flag in judged)
    return {
        "judged": len(judged),
        "flagged": flagged,
        "flagged_share": _share(flagged, len(judged)),
        "wrong_not_flagged": unflagged,
        "wrong_not_flagged_share": _share(unflagged, len(judged)),
    }


def _right_doubted(results: Iterable[Result]) -> dict[str, Any]:
    right = [seen.flagged for result in results for seen in result.match.right]
    return {"right_doubted": sum(right), "right_doubted_share": _share(sum(right), len(right))}


def _given(results: Sequence[Result]) -> dict[str, Any]:
    given = sum(result.given for result in results)
    return {
        "given": given,
        "given_share": _share(given, len(results)),
        "given_wilson_95": interval(given, len(results)),
        "given_sure": sum(result.given_sure for result in results),
    }


def _share(some: int, of: int) -> float:
    return round(some / max(1, of), 4)


def interval(hits: int, of: int) -> list[float]:
    """The Wilson 95 % interval, rounded for JSON."""
    low, high = wilson(hits, of)
    return [round(low, 4), round(high, 4)]


# Confusion


def confusion(results: Iterable[Result]) -> Confusion:
    """The confusion counts over the pieces found. Without positions, the pairs of misread faces are a guess."""
    counted: dict[str, Counter[tuple[str, str]]] = {}
    for result in results:
        for pair in result.match.pairs:
            counted.setdefault(pair[0].kind, Counter()).update(_faces(pair))
    return {kind: _matrix(counter) for kind, counter in counted.items()}


def confused(matrix: dict[str, dict[str, int]]) -> bool:
    """Whether any face was read as another."""
    return any(truth != read for truth, row in matrix.items() for read in row)


def _faces(pair: Pair) -> list[tuple[str, str]]:
    """True and read faces: one pair for a die, two for a tile, its ends ordered to agree best."""
    piece, seen = pair
    if piece.kind != "domino":
        kind = "" if seen.kind == piece.kind else f"{seen.kind} "
        return [(label(piece.face), kind + label(seen.face))]
    read: Sequence[int | str] = seen.face or ("face-down", "face-down")
    turns = [list(zip(piece.face, each, strict=True)) for each in (read, read[::-1])]
    best = max(turns, key=lambda ends: sum(a == b for a, b in ends))
    return [(str(a), str(b)) for a, b in best]


def _matrix(counter: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    rows: dict[str, dict[str, int]] = {}
    for truth, read in sorted(counter, key=lambda pair: [_rank(text) for text in pair]):
        rows.setdefault(truth, {})[read] = counter[truth, read]
    return rows


def _rank(text: str) -> tuple[int, str]:
    """Sorts numbers by size, and words after them."""
    return (int(text), "") if text.isdigit() else (100, text)


def _all_read(found: Match) -> list[ReadPiece]:
    return [*(seen for _, seen in found.pairs), *found.extra, *found.excused]
