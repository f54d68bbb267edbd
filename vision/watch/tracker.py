"""Which piece is which from one settled table to the next, and which of them were thrown.

A throw is known by pieces that come to rest by themselves, elsewhere and mostly with other values. A die that a hand has put
down with the value it had, one that slid a little, or did not move at all, was not thrown; nor was one that a hand has
pushed, even if that turned it over. But a die that surely shows another value, and was off the table in between, was thrown,
however briefly the table was empty.
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
"""How far a piece that was not touched may seem to have moved, over its size,"""
_SAME_SPOT = 0.35
"""and one that shows something else."""
SURE = 0.8
"""How sure both readings must be for a piece on the same spot to be another throw rather than another reading."""
DOUBTLESS = 0.9
"""The chance that it is a piece at all from which one says how large pieces are here, or that a table seen for the first time has
any, whatever it shows."""
BELIEVED = 0.5
"""The same from which a piece is believed at first sight."""
SEEN_TO_COME: tuple[Arrival, ...] = ("rolled", "hand")
"""Arrivals of which there was a beginning and an end."""
_MANY = 2
"""Others that a hand cannot have laid down in the same moment."""
_ASIDE = 2
"""Pieces that a hand put down, beside one that seems to have come alone, from which it set them all aside."""
_NEAR = 2.5
"""How far a push moves a piece, over its size."""
_STAYED: Point = (0.0, 0.0)
_MOST_AWAY = 40
"""Pieces off the table that are remembered."""
_COVERED = 2
"""For so many counts a piece that seems to be off the table may lie below a hand,"""
_BACK = 2
"""and so many that are back as they were, and did not come by themselves, tell that they did."""


class MotionEvidence(Protocol):
    """What is known of how pieces moved since the last time all lay still; places in pixels of the frame."""

    def arrival(self, place: Quad) -> Arrival:
        """How the piece in this place came to it."""

    def touched(self, *places: Quad) -> bool:
        """Whether a hand was at one of the places."""

    def as_first(self, place: Quad) -> bool:
        """Whether the place looked in the beginning as it does in the end, whatever was there in between."""

    def away(self, old: Quad, new: Quad) -> bool:
        """Whether a hand took it from the old place, and it was far from both in between."""

    def off_table(self, old: Quad, new: Quad) -> bool:
        """Whether there was a time, however short, when it was in neither place."""

    def fell_with(self, place: Quad, others: Sequence[Quad]) -> bool:
        """Whether a piece with a hand over it may have come to rest here while one of the others did."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A piece that has lain on the table, and for how many counts it has been off it."""

    id: int
    piece: Die | Tile
    off: int = 0

    @property
    def on_table(self) -> bool:
        """Whether it was on it at the last count."""
        return self.off == 0

    def moved(self, shift: Point) -> _Known:
        """The same, seen by a camera that was pushed."""
        a, b, c, d = ((x + shift[0], y + shift[1]) for x, y in self.piece.box)
        return replace(self, piece=replace(self.piece, box=(a, b, c, d)))


@dataclass(slots=True)
class _Matching:
    """One table under comparison: what is not yet told of what was known and what is seen."""

    known: list[_Known]
    seen: list[Die | Tile]
    evidence: MotionEvidence
    camera_moved: bool = False
    """Places of now then say nothing about places before."""
    ids: dict[int, int] = field(default_factory=dict)
    """Of the pieces seen, by their place in `seen`."""
    thrown: set[int] = field(default_factory=set)
    noticed: set[int] = field(default_factory=set)
    """Pieces that were there all the time, though never read."""

    @property
    def open(self) -> list[int]:
        """The pieces seen of which it is not known yet which they are."""
        return [j for j in range(len(self.seen)) if not (j in self.ids or j in self.thrown or j in self.noticed)]

    @property
    def missing(self) -> list[_Known]:
        """The pieces known that were not found again yet, those on the table last time first."""
        return sorted((k for k in self.known if k.id not in self.ids.values()), key=lambda k: not k.on_table)

    @property
    def gone(self) -> list[_Known]:
        """Those of them that left their place: one that was not read this time, or never was a piece, may not have moved."""
        if self.camera_moved:
            return self.missing
        return [k for k in self.missing if not (k.on_table and self.evidence.arrival(k.piece.box) == "unmoved")]

    def same(self, j: int, known: _Known) -> None:
        """This is that piece, and it was not thrown."""
        self.ids[j] = known.id


class PieceTracker:
    """The pieces on a table, each with an id of its own."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        """Go on from these pieces; without them the first ones seen count as thrown."""
        self._known = [_Known(each.id, each.piece) for each in pieces]
        self._next = max((known.id for known in self._known), default=0) + 1
        self.begun = self._resumed = bool(self._known)
        """Whether a table was counted before; whether the last time nobody watched what followed."""
        self.unseen = False
        """Whether dice were counted as thrown that nobody saw to come: while the watcher was away."""

    @property
    def on_table(self) -> list[Die | Tile]:
        """The pieces at the last count."""
        return [known.piece for known in self._known if known.on_table]

    def knows(self, place: Quad) -> bool:
        """Whether a piece lay in this place last."""
        return any(_between(known.box, place) < _SAME_PLACE for known in self.on_table)

    def lookalikes(self, seen: Sequence[Die | Tile], evidence: MotionEvidence) -> list[int]:
        """Which pieces are more likely part of the table: they have been there all the time, and were never taken for pieces.

        On a table that is seen for the first time, those that are hardly believed, and all if there is none beyond doubt.
        """
        if not self.begun:
            least = BELIEVED if any(piece.presence >= DOUBTLESS for piece in seen) else DOUBTLESS
            return [j for j, piece in enumerate(seen) if piece.presence < least]
        new = [j for j, piece in enumerate(seen) if piece.presence < SURE and not self._knew(piece.box)]
        return [j for j in new if evidence.as_first(seen[j].box)]

    def _knew(self, place: Quad) -> bool:
        """Whether a piece lay in this place, last or before."""
        return any(_between(known.piece.box, place) < _SAME_PLACE for known in self._known)

    def count(self, seen: Sequence[Die | Tile], evidence: MotionEvidence, bump: Point) -> tuple[Piece, ...]:
        """The pieces on the table now, in their order, with their ids and which of them were thrown.

        Args:
            seen: what was read on a table on which all lies still.
            evidence: how each piece came to its place.
            bump: by how much the whole picture seems to have been moved since the last time, in pixels of the frame.
        """
        way = self._way(seen, bump)
        matching = _Matching(
            [known.moved(way) for known in self._known], list(seen), evidence, way not in (_STAYED, bump)
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

    def _way(self, seen: Sequence[Die | Tile], bump: Point) -> Point:
        """How the camera was moved: of the ways in which it may have been the one in which most lies still."""
        ways = [_STAYED, bump, *_shifts(self.on_table, seen)]
        found = [len(_still_pairs([k.moved(way) for k in self._known if k.on_table], seen)) for way in ways]
        # Two pieces that seem to have moved alike are the camera's doing, one alone is not.
        return ways[max(range(len(ways)), key=lambda i: (found[i] - (i > 1), -i))]

    def _name(self, matching: _Matching) -> None:
        """Those thrown, and those new, by the ids of pieces that are gone: first of their colour, then of their kind."""
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
    """All back as they were: a hand lay over them at the last count, and they seemed to be off the table.

    Several that show what they showed, and were not seen to come by themselves, tell it, if all that is new lies where one of
    those lay. What shows something else there was read wrongly before, or now.
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
    """In the place and with the face of a piece that was known; one that a look had missed is found again so, too."""
    known, evidence = matching.missing, matching.evidence
    for i, j in _still_pairs(known, matching.seen):
        old, new = known[i].piece.box, matching.seen[j].box
        if not evidence.away(old, new) if known[i].on_table else evidence.arrival(new) == "unmoved":
            matching.same(j, known[i])


def _match_unseen(matching: _Matching) -> bool:
    """After an interruption: dice that came in the meantime, and whether they surely show what no missing die did.

    Nobody knows whether they were thrown or turned over. A throw that is asked about is left out with one tap; one that is
    not counted is lost.
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
    """Set aside by a hand, one after another, each with the face it had, though the hand was not seen on one of them.

    A hand shows badly in the shade; and one of several may lie where another did, as if it had been turned over there.
    """
    seen, evidence, new = matching.seen, matching.evidence, matching.open
    arrivals = {j: evidence.arrival(seen[j].box) for j in new}
    handled = [j for j in new if arrivals[j] == "hand"]
    alone = [j for j in new if j not in handled]
    if len(handled) < _ASIDE or [arrivals[j] for j in alone] != ["rolled"]:
        return
    if all(evidence.fell_with(seen[alone[0]].box, [seen[j].box]) for j in handled):
        return  # a throw, most of it below the hand
    lay = [k for k in matching.gone if k.on_table]
    ways = [(_apart(k.piece, seen[j]), i, j) for i, k in enumerate(lay) for j in new if _same(k.piece, seen[j])]
    pairs = each_once(ways)
    if len(pairs) == len(new):
        for i, j in pairs:
            matching.same(j, lay[i])


def _match_changed_in_place(matching: _Matching) -> None:
    """In the place of a known piece, with another face: read wrongly before or now, or turned, unless it came by itself."""
    known, seen = [k for k in matching.missing if k.on_table], matching.seen
    for i, j in _on_one_spot(known, seen, matching.open):
        sure = min(known[i].piece.confidence, seen[j].confidence) >= SURE
        alone = sure and _came_alone(matching, j) and not _nudged(matching, known[i], j)
        if alone or _thrown_anew(matching, known[i], j):
            matching.thrown.add(j)
        else:
            matching.same(j, known[i])


def _match_pushed(matching: _Matching) -> None:
    """Not far from where a known piece lay: it slid, or a hand has pushed it."""
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
    """A hand has put them there with the face they had; or they were there all the time, and not found before."""
    out_of_a_hand = _fallen(matching)
    for j in sorted(matching.open, key=lambda j: -matching.seen[j].confidence):  # the doubtful take what is left
        arrival, piece = matching.evidence.arrival(matching.seen[j].box), matching.seen[j]
        if arrival == "rolled" or j in out_of_a_hand:
            continue
        lay = _lay(matching, j)
        anew = bool(lay) and _more_than_before(matching, j) and all(_thrown_anew(matching, k, j) for k in lay)
        # It is a missing piece with its face, or one whose face was misread or turned over.
        if mine := _alike(matching, j) or _doubtful(matching, j) or ([] if anew else lay):
            matching.same(j, min(mine, key=lambda k: (not k.on_table, _apart(k.piece, piece))))
        elif anew:
            matching.thrown.add(j)
        elif arrival == "unmoved" or (arrival == "hand" and piece.presence < BELIEVED):
            matching.noticed.add(j)


def _fallen(matching: _Matching) -> set[int]:
    """Those under a hand that threw: they came with others that came alone, with one that shows a new face, or many at once."""
    evidence, seen = matching.evidence, matching.seen
    free = [seen[j].box for j in matching.open if _came_alone(matching, j)]
    dice = [j for j in matching.open if isinstance(seen[j], Die)]
    handled = {j: seen[j].box for j in dice if evidence.arrival(seen[j].box) == "hand"}
    company = {j: [i for i in handled if i != j and evidence.fell_with(handled[j], [handled[i]])] for j in handled}
    new = [
        j
        for j in handled
        if company[j] and not _enough_alike(matching, [j, *company[j]]) and not _doubtful(matching, j)
    ]
    with_new = {j for j in handled if j in new or any(i in new for i in company[j])}
    with_many = {j for j in handled if len(company[j]) >= _MANY}
    return with_new | with_many | {j for j in handled if evidence.fell_with(handled[j], free)}


def _enough_alike(matching: _Matching, together: Sequence[int]) -> bool:
    """Whether all that show what the first of them does may be missing pieces."""
    same = [j for j in together if _same(matching.seen[j], matching.seen[together[0]])]
    return len(same) <= len(_alike(matching, together[0]))


def _more_than_before(matching: _Matching, j: int) -> bool:
    """Whether more pieces surely show what this one does than lay on the table.

    Else one of those may have come here, and what was taken for it be another, misread.
    """
    sure = [piece for piece in matching.seen if piece.confidence >= SURE and _same(piece, matching.seen[j])]
    return len(sure) > sum(_same(k.piece, matching.seen[j]) for k in matching.known if k.on_table)


def _alike(matching: _Matching, j: int) -> list[_Known]:
    """The missing pieces that show what this one does."""
    return [k for k in matching.gone if _same(k.piece, matching.seen[j])]


def _doubtful(matching: _Matching, j: int) -> list[_Known]:
    """Those of its kind that have left their place, if it or they were read with doubt."""
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
    """Whether it went there by itself without turning over, as a die does that another has hit."""
    old, new = known.piece.box, matching.seen[j].box
    return _same(known.piece, matching.seen[j]) and not matching.evidence.away(old, new)


def _nudged(matching: _Matching, known: _Known, j: int) -> bool:
    """Whether a hand was on it, and it was never away: that is no throw, whatever it shows now."""
    old, new = known.piece.box, matching.seen[j].box
    return matching.evidence.touched(old, new) and not matching.evidence.away(old, new)


def _on_one_spot(known: Sequence[_Known], seen: Sequence[Die | Tile], some: Sequence[int]) -> list[tuple[int, int]]:
    """Pieces known, and some of those seen, of one kind and in one place, whatever they show; each once."""
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
    """Every way in which a piece that shows the same may have gone."""
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
    """What it shows, a tile whichever way round it lies."""
    return (piece.value,) if isinstance(piece, Die) else tuple(sorted(piece.shown or ()))


def _colour(piece: Die | Tile) -> str:
    return piece.colour if isinstance(piece, Die) else ""


def _centre(piece: Die | Tile) -> Point:
    return middle_of(piece.box)


def _apart(one: Die | Tile, other: Die | Tile) -> float:
    return _between(one.box, other.box)


def _between(one: Quad, other: Quad) -> float:
    """How far the middles of two places lie from each other, over the pieces' longer side."""
    size = max(math.dist(box[i], box[i + 1]) for box in (one, other) for i in (0, 1))
    return math.dist(middle_of(one), middle_of(other)) / max(1.0, size)
