"""Tracks pieces from one settled table to the next, and decides which of them were thrown.

Thrown pieces come to rest by themselves, in other places and mostly with other values. A die that a hand has put
down with the value it had, one that slid a little, or did not move at all, was not thrown; nor was one that a hand has
pushed, even if that turned it over. But a die that surely shows another value, and was off the table in between, was thrown,
however briefly it was away.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from vision.reading import Die, Point, Quad, Tile, middle_of
from vision.watch.consensus import each_once
from vision.watch.events import Piece
from vision.watch.history import Arrival

_SAME_PLACE = 0.5
"""The largest apparent movement of an untouched piece, over its size."""
_SAME_SPOT = 0.35
"""The same for one that shows another face."""
SURE = 0.8
"""How sure both readings must be for a changed value in one place to be another throw rather than a misreading."""
DOUBTLESS = 0.9
"""Probability of a piece (`presence`) from which it is a reference for the size of pieces, or proof that a new table has any."""
BELIEVED = 0.5
"""Probability of a piece from which it is believed at first sight."""
SEEN_TO_COME: tuple[Arrival, ...] = ("rolled", "hand")
"""Arrivals that were seen from start to end."""
_MANY = 2
"""A hand cannot put down a piece and so many others at the same moment."""
_ASIDE = 2
"""From so many pieces put down by a hand, one that seems to have come by itself beside them was put down, too."""
_NEAR = 2.5
"""The largest distance that a push moves a piece, over its size."""
_STAYED: Point = (0.0, 0.0)
_MOST_AWAY = 40
"""How many pieces off the table are remembered."""
_COVERED = 2
"""For so many counts, a piece that seems to be off the table may lie below a hand."""
_BACK = 2
"""So many pieces that are back unchanged, and did not come by themselves, show that they did."""


class MotionEvidence(Protocol):
    """The evidence of how pieces moved since everything last lay still; places in pixels of the frame."""

    def arrival(self, place: Quad) -> Arrival:
        """How the piece in this place arrived."""

    def touched(self, *places: Quad) -> bool:
        """Whether a hand was at one of the places."""

    def as_first(self, place: Quad) -> bool:
        """Whether the place looks the same at the start and at the end, whatever happened in between."""

    def away(self, old: Quad, new: Quad) -> bool:
        """Whether a hand took the piece from the old place, and it was in neither place for a while."""

    def off_table(self, old: Quad, new: Quad) -> bool:
        """Whether there was a time, however short, when the piece was in neither place."""

    def landed_with(self, place: Quad, others: Sequence[Quad]) -> bool:
        """Whether a piece with a hand over it may have come to rest here together with one of the others."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A piece that has been on the table, and for how many counts it has been off it."""

    id: int
    piece: Die | Tile
    off: int = 0

    @property
    def on_table(self) -> bool:
        """Whether it was on it at the last count."""
        return self.off == 0

    def moved(self, shift: Point) -> _Known:
        """The piece after a shift of the camera."""
        a, b, c, d = ((x + shift[0], y + shift[1]) for x, y in self.piece.box)
        return replace(self, piece=replace(self.piece, box=(a, b, c, d)))


@dataclass(slots=True)
class _Matching:
    """The matching in progress between the pieces known before and those seen now; the latter by index into `seen`."""

    known: list[_Known]
    seen: list[Die | Tile]
    evidence: MotionEvidence
    camera_moved: bool = False
    """Then places now say nothing about places before."""
    ids: dict[int, int] = field(default_factory=dict)
    """The ids of matched pieces."""
    thrown: set[int] = field(default_factory=set)
    noticed: set[int] = field(default_factory=set)
    """Pieces that were on the table all the time, but never read."""

    @property
    def open(self) -> list[int]:
        """The pieces seen that are not matched yet."""
        return [j for j in range(len(self.seen)) if not (j in self.ids or j in self.thrown or j in self.noticed)]

    @property
    def missing(self) -> list[_Known]:
        """The known pieces that are not matched yet, those on the table last time first."""
        return sorted((k for k in self.known if k.id not in self.ids.values()), key=lambda k: not k.on_table)

    @property
    def gone(self) -> list[_Known]:
        """The missing pieces that left their place; one that has not moved was not read this time, or never was a piece."""
        if self.camera_moved:
            return self.missing
        return [k for k in self.missing if not (k.on_table and self.evidence.arrival(k.piece.box) == "unmoved")]

    def same(self, j: int, known: _Known) -> None:
        """Match a seen piece with a known one: it was not thrown."""
        self.ids[j] = known.id


class PieceTracker:
    """The pieces on a table, each with an id of its own."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        """Continue from these pieces; without them the first ones seen count as thrown."""
        self._known = [_Known(each.id, each.piece) for each in pieces]
        self._next = max((known.id for known in self._known), default=0) + 1
        self.begun = self._resumed = bool(self._known)
        """Whether a table was counted before; and whether the next count is the first after an interruption."""
        self.unseen = False
        """Whether dice were counted as thrown that arrived unseen, during an interruption."""

    @property
    def on_table(self) -> list[Die | Tile]:
        """The pieces at the last count."""
        return [known.piece for known in self._known if known.on_table]

    def knows(self, place: Quad) -> bool:
        """Whether a piece lay in this place at the last count."""
        return any(_between(known.box, place) < _SAME_PLACE for known in self.on_table)

    def lookalikes(self, seen: Sequence[Die | Tile], evidence: MotionEvidence) -> list[int]:
        """Indices of pieces that are more likely part of the table: they have always been in place, and never counted as pieces.

        On a new table, those with a low probability, or all if none is beyond doubt.
        """
        if not self.begun:
            least = BELIEVED if any(piece.presence >= DOUBTLESS for piece in seen) else DOUBTLESS
            return [j for j, piece in enumerate(seen) if piece.presence < least]
        new = [j for j, piece in enumerate(seen) if piece.presence < SURE and not self._knew(piece.box)]
        return [j for j in new if evidence.as_first(seen[j].box)]

    def _knew(self, place: Quad) -> bool:
        """Whether a piece lay in this place at the last count or before."""
        return any(_between(known.piece.box, place) < _SAME_PLACE for known in self._known)

    def count(self, seen: Sequence[Die | Tile], evidence: MotionEvidence, apparent_shift: Point) -> tuple[Piece, ...]:
        """The pieces on the table now, in the order of `seen`, with their ids and which of them were thrown.

        Args:
            seen: the pieces read on a still table.
            evidence: how each piece arrived at its place.
            apparent_shift: the apparent shift of the whole picture since the last count, in pixels of the frame.
        """
        way = self._way(seen, apparent_shift)
        matching = _Matching(
            [known.moved(way) for known in self._known], list(seen), evidence, way not in (_STAYED, apparent_shift)
        )
        self.unseen = False
        if self.begun:
            _match_covered(matching)
            _match_unmoved(matching)
            self.unseen = self._resumed and _match_unseen(matching)
            _match_carried(matching)
            _match_changed_in_place(matching)
            _match_pushed(matching)
            _match_moved(matching)
        self.begun, self._resumed = True, False
        matching.thrown.update(j for j in matching.open if isinstance(seen[j], Die))
        self._name(matching)
        counted = tuple(Piece(matching.ids[j], piece, j in matching.thrown) for j, piece in enumerate(seen))
        self._remember(counted)
        return counted

    def _way(self, seen: Sequence[Die | Tile], apparent_shift: Point) -> Point:
        """The shift of the camera: of all possible ones, that with which most pieces lie still."""
        ways = [_STAYED, apparent_shift, *_shifts(self.on_table, seen)]
        found = [len(_still_pairs([k.moved(way) for k in self._known if k.on_table], seen)) for way in ways]
        # If two pieces seem to have moved equally, the camera was moved; one alone is no evidence.
        return ways[max(range(len(ways)), key=lambda i: (found[i] - (i > 1), -i))]

    def _name(self, matching: _Matching) -> None:
        """Give thrown and new pieces the ids of pieces that are gone: of their colour if possible, otherwise of their kind."""
        for j, piece in enumerate(matching.seen):
            if j not in matching.ids:
                gone = [k for k in matching.gone if _kind(k.piece) == _kind(piece)]
                alike = [k for k in gone if _colour(k.piece) == _colour(piece)]
                matching.ids[j] = alike[0].id if alike else gone[0].id if gone else self._new()

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _remember(self, counted: Sequence[Piece]) -> None:
        ids = {each.id for each in counted}
        away = [replace(known, off=known.off + 1) for known in self._known if known.id not in ids]
        self._known = [*(_Known(each.id, each.piece) for each in counted), *away[:_MOST_AWAY]]


def _match_covered(matching: _Matching) -> None:
    """Match pieces that a hand covered at the last count, so that they seemed to be off the table.

    The evidence: several show the same face as before and did not come by themselves, and everything new lies where one of
    the covered pieces lay. A different face among them is a misreading, before or now.
    """
    still = {j for _, j in _still_pairs([k for k in matching.known if k.on_table], matching.seen)}
    new = [j for j in range(len(matching.seen)) if j not in still]
    covered = [k for k in matching.known if 0 < k.off <= _COVERED]
    pairs = _on_one_spot(covered, matching.seen, new)
    told = [j for i, j in pairs if _same(covered[i].piece, matching.seen[j]) and not _came_alone(matching, j)]
    if len(pairs) == len(new) and len(told) >= max(_BACK, len(new) - len(told)):
        for i, j in pairs:
            matching.same(j, covered[i])


def _match_unmoved(matching: _Matching) -> None:
    """Match pieces in the place and with the face of a known one, also one that was missed at the last count."""
    known, evidence = matching.missing, matching.evidence
    for i, j in _still_pairs(known, matching.seen):
        old, new = known[i].piece.box, matching.seen[j].box
        if not evidence.away(old, new) if known[i].on_table else evidence.arrival(new) == "unmoved":
            matching.same(j, known[i])


def _match_unseen(matching: _Matching) -> bool:
    """After an interruption, mark dice that arrived meanwhile as thrown, if one surely shows a value that no missing die had.

    They may also have been turned over. Players can drop a false throw with one tap; a throw that is not counted is lost.
    """
    seen = matching.seen
    dice = [j for j in matching.open if isinstance(seen[j], Die)]
    came = [j for j in dice if matching.evidence.arrival(seen[j].box) not in SEEN_TO_COME]
    known = [k.piece for k in matching.missing if k.on_table]
    if len(came) == 1 and any(_apart(piece, seen[came[0]]) < _SAME_SPOT for piece in known):
        return False  # turned over, or misread
    new = (
        sum(_same(seen[i], seen[j]) for i in came) > sum(_same(piece, seen[j]) for piece in known)
        for j in came
        if seen[j].confidence >= SURE
    )
    thrown = any(new)
    if thrown:
        matching.thrown.update(came)
    return thrown


def _match_carried(matching: _Matching) -> None:
    """Match pieces that a hand set aside one after another, each with its face, even if the hand was not seen on one of them.

    A hand is hard to see in the shade; and one of several may lie where another did, as if it had been turned over there.
    """
    seen, evidence, new = matching.seen, matching.evidence, matching.open
    arrivals = {j: evidence.arrival(seen[j].box) for j in new}
    handled = [j for j in new if arrivals[j] == "hand"]
    alone = [j for j in new if j not in handled]
    if len(handled) < _ASIDE or [arrivals[j] for j in alone] != ["rolled"]:
        return
    if all(evidence.landed_with(seen[alone[0]].box, [seen[j].box]) for j in handled):
        return  # a throw, most of its dice below the hand
    lay = [k for k in matching.gone if k.on_table]
    ways = [(_apart(k.piece, seen[j]), i, j) for i, k in enumerate(lay) for j in new if _same(k.piece, seen[j])]
    pairs = each_once(ways)
    if len(pairs) == len(new):
        for i, j in pairs:
            matching.same(j, lay[i])


def _match_changed_in_place(matching: _Matching) -> None:
    """Match pieces in the place of a known one with another face: misread before or now, or turned, unless they were thrown."""
    known, seen = [k for k in matching.missing if k.on_table], matching.seen
    for i, j in _on_one_spot(known, seen, matching.open):
        sure = min(known[i].piece.confidence, seen[j].confidence) >= SURE
        alone = sure and _came_alone(matching, j) and not _nudged(matching, known[i], j)
        if alone or _thrown_anew(matching, known[i], j):
            matching.thrown.add(j)
        else:
            matching.same(j, known[i])


def _match_pushed(matching: _Matching) -> None:
    """Match pieces near the place of a known one: they slid, or a hand pushed them."""
    known, seen = [k for k in matching.gone if k.on_table], matching.seen
    ways = [
        (_apart(k.piece, seen[j]) + (_face(k.piece) != _face(seen[j])), i, j)
        for i, k in enumerate(known)
        for j in matching.open
        if _kind(k.piece) == _kind(seen[j]) and _apart(k.piece, seen[j]) < _NEAR
    ]
    for i, j in each_once(ways):
        if _thrown_anew(matching, known[i], j):
            matching.thrown.add(j)
        elif _slid(matching, known[i], j) or _nudged(matching, known[i], j):
            matching.same(j, known[i])


def _match_moved(matching: _Matching) -> None:
    """Match pieces that a hand has moved with their face unchanged; or note those that were always there but not found before."""
    out_of_a_hand = _fallen(matching)
    for j in sorted(matching.open, key=lambda j: -matching.seen[j].confidence):  # doubtful ones get what is left
        arrival, piece = matching.evidence.arrival(matching.seen[j].box), matching.seen[j]
        if arrival == "rolled" or j in out_of_a_hand:
            continue
        lay = _lay(matching, j)
        anew = bool(lay) and _more_than_before(matching, j) and all(_thrown_anew(matching, k, j) for k in lay)
        # It is a missing piece with the same face, or one that was misread or turned over.
        if mine := _alike(matching, j) or _doubtful(matching, j) or ([] if anew else lay):
            matching.same(j, min(mine, key=lambda k: (not k.on_table, _apart(k.piece, piece))))
        elif anew:
            matching.thrown.add(j)
        elif arrival == "unmoved" or (arrival == "hand" and piece.presence < BELIEVED):
            matching.noticed.add(j)


def _fallen(matching: _Matching) -> set[int]:
    """The dice under a throwing hand: they came with dice that came by themselves, with one that shows a new face, or many."""
    evidence, seen = matching.evidence, matching.seen
    free = [seen[j].box for j in matching.open if _came_alone(matching, j)]
    dice = [j for j in matching.open if isinstance(seen[j], Die)]
    handled = {j: seen[j].box for j in dice if evidence.arrival(seen[j].box) == "hand"}
    company = {j: [i for i in handled if i != j and evidence.landed_with(handled[j], [handled[i]])] for j in handled}
    new = [
        j
        for j in handled
        if company[j] and not _enough_alike(matching, [j, *company[j]]) and not _doubtful(matching, j)
    ]
    with_new = {j for j in handled if j in new or any(i in new for i in company[j])}
    with_many = {j for j in handled if len(company[j]) >= _MANY}
    return with_new | with_many | {j for j in handled if evidence.landed_with(handled[j], free)}


def _enough_alike(matching: _Matching, together: Sequence[int]) -> bool:
    """Whether there are enough missing pieces for all that show the same as the first of them."""
    same = [j for j in together if _same(matching.seen[j], matching.seen[together[0]])]
    return len(same) <= len(_alike(matching, together[0]))


def _more_than_before(matching: _Matching, j: int) -> bool:
    """Whether more pieces surely show this face than before.

    Otherwise one of the earlier ones may have moved here, and the piece that was matched with it be another, misread.
    """
    sure = [piece for piece in matching.seen if piece.confidence >= SURE and _same(piece, matching.seen[j])]
    return len(sure) > sum(_same(k.piece, matching.seen[j]) for k in matching.known if k.on_table)


def _alike(matching: _Matching, j: int) -> list[_Known]:
    """The missing pieces with the same face."""
    return [k for k in matching.gone if _same(k.piece, matching.seen[j])]


def _doubtful(matching: _Matching, j: int) -> list[_Known]:
    """The missing pieces of its kind, where one of both readings is doubtful."""
    return [k for k in _lay(matching, j) if min(matching.seen[j].confidence, k.piece.confidence) < SURE]


def _lay(matching: _Matching, j: int) -> list[_Known]:
    return [k for k in matching.gone if k.on_table and _kind(k.piece) == _kind(matching.seen[j])]


def _came_alone(matching: _Matching, j: int) -> bool:
    return matching.evidence.arrival(matching.seen[j].box) == "rolled"


def _thrown_anew(matching: _Matching, known: _Known, j: int) -> bool:
    """Whether a die surely shows another value than it did, and was off the table in between, however briefly."""
    piece = matching.seen[j]
    if not isinstance(piece, Die) or _face(known.piece) == _face(piece):
        return False
    sure = min(known.piece.confidence, piece.confidence) >= SURE
    return sure and matching.evidence.off_table(known.piece.box, piece.box)


def _slid(matching: _Matching, known: _Known, j: int) -> bool:
    """Whether a piece moved by itself without turning over, like a die hit by another."""
    old, new = known.piece.box, matching.seen[j].box
    return _same(known.piece, matching.seen[j]) and not matching.evidence.away(old, new)


def _nudged(matching: _Matching, known: _Known, j: int) -> bool:
    """Whether a hand touched a piece that was never away: that is no throw, whatever it shows now."""
    old, new = known.piece.box, matching.seen[j].box
    return matching.evidence.touched(old, new) and not matching.evidence.away(old, new)


def _on_one_spot(known: Sequence[_Known], seen: Sequence[Die | Tile], some: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of known and seen pieces of one kind in one place, whatever their faces; each piece once."""
    return each_once(
        [
            (_apart(k.piece, seen[j]), i, j)
            for i, k in enumerate(known)
            for j in some
            if _kind(k.piece) == _kind(seen[j]) and _apart(k.piece, seen[j]) < _SAME_SPOT
        ]
    )


def _still_pairs(known: Sequence[_Known], seen: Sequence[Die | Tile]) -> list[tuple[int, int]]:
    return each_once(
        [
            (_apart(k.piece, piece), i, j)
            for i, k in enumerate(known)
            for j, piece in enumerate(seen)
            if _same(k.piece, piece) and _apart(k.piece, piece) < _SAME_PLACE
        ]
    )


def _shifts(known: Sequence[Die | Tile], seen: Sequence[Die | Tile]) -> list[Point]:
    """The vectors from known pieces to seen ones with the same face."""
    return [
        (_centre(piece)[0] - _centre(k)[0], _centre(piece)[1] - _centre(k)[1])
        for k in known
        for piece in seen
        if _same(k, piece)
    ]


def _same(one: Die | Tile, other: Die | Tile) -> bool:
    return _kind(one) == _kind(other) and _face(one) == _face(other)


def _kind(piece: Die | Tile) -> str:
    return piece.kind if isinstance(piece, Die) else "domino"


def _face(piece: Die | Tile) -> tuple[int, ...]:
    """The values a piece shows; those of a tile sorted, for its orientation does not matter."""
    return (piece.value,) if isinstance(piece, Die) else tuple(sorted(piece.shown or ()))


def _colour(piece: Die | Tile) -> str:
    return piece.colour if isinstance(piece, Die) else ""


def _centre(piece: Die | Tile) -> Point:
    return middle_of(piece.box)


def _apart(one: Die | Tile, other: Die | Tile) -> float:
    return _between(one.box, other.box)


def _between(one: Quad, other: Quad) -> float:
    """The distance between the centres of two places, over their longest side."""
    size = max(math.dist(box[i], box[i + 1]) for box in (one, other) for i in (0, 1))
    return math.dist(middle_of(one), middle_of(other)) / max(1.0, size)
