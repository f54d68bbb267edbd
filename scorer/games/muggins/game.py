"""Muggins, also called All Fives, with a double-six set, as a game; the other modules of this folder implement its parts.

Sources: see `rules`; RULINGS, "What a photo means in a game".

    opening 5-3              one tile each, the highest total leads; ties draw again
    lead 1                   player 1 holds the highest double and leads, where hands are secret and that is played
    deal 1 0-0 1-1 3-0 ...   the hand of player 1, sorted, where hands are told
    play 5-3                 the first tile of a hand
    play 5-3 5-5             a tile laid against one on the table
    draw                     from the boneyard; "draw 5-3" where hands are told
    pass                     nothing fits and nothing is left to draw; where hands are told it follows by itself
    call, muggins 1          who called a score, where overlooked ones may be claimed; "unclaimed" if nobody did
    left 1 5-3 6-6           what player 1 still holds when a hand is over, sorted, where hands are secret

With the option `hands=told`, every tile dealt and drawn is entered, so a state holds the hands: do not show it to a player.
`view` gives what each may see; events, prompts and offers name no tile that lies face down but the player's own.
"""

from __future__ import annotations

from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.game import Game, Move, Seen
from scorer.engine.options import Preset
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.worth import Piece, Worth
from scorer.games.domino_pips.table_view import as_laid
from scorer.games.domino_pips.worth import ScoreOptions
from scorer.games.muggins import legal, play, priors, prompts, questions, refusals, shapes, state, table_view, worth
from scorer.games.muggins.rules import GAME, TITLE, Rules
from scorer.games.muggins.state import State
from scorer.games.registry import register
from scorer.pieces.tiles import Tile


class Muggins(Game[Rules, State]):
    """Open ends that add up to a multiple of five score, for two to four players."""

    name = GAME
    title = TITLE
    summary = "Dominoes: make the open ends add up to a multiple of five; first to 100 points wins."
    in_short = (
        "Everybody draws tiles; the rest is the boneyard. Lay a tile at an open end that shows the same number.",
        "If the open ends then add up to a multiple of five, you score that sum. A double counts all its pips.",
        "Who cannot play draws. Who lays the last tile scores the pips that the others hold, to the nearest five.",
    )
    rules = Rules
    pieces = table_view.PIECES
    shapes = (shapes.Muggins,)
    score_options = ScoreOptions
    moment = questions.MugginsMoment
    visible_verbs = frozenset({"opening", "deal", "play", "left"})
    hidden_verbs = frozenset({"deal", "draw"})
    presets = (
        Preset("All Fives", "The first double is a spinner; first to 100 points."),
        Preset("On a cribbage board", "One point for each five; 61 points, once round.", ("per_five=1", "target=61")),
        Preset(
            "Hoyle's Muggins",
            "Seven tiles, no spinner, the highest double leads, the last two tiles stay; overlooked points may be claimed.",
            ("hand=7", "spinner=none", "lead=double", "kept_back=2", "muggins=true"),
        ),
        Preset("Partners", "Four players, two against two, to 150 points.", ("partners=true", "target=150")),
        Preset("To 200", "Five tiles each and no spinner.", ("hand=5", "spinner=none", "target=200")),
        Preset(
            "Five Up",
            "Every double is a spinner; 61 points, one for each five.",
            ("hand=5", "spinner=all", "per_five=1", "target=61"),
        ),
        Preset("To 250", "A long game.", ("target=250",)),
        Preset(
            "Hands told", "Every tile dealt and drawn is told: draws are checked, and advice is given.", ("hands=told",)
        ),
    )

    start = staticmethod(state.start)
    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(prompts.offers)
    prompt = staticmethod(prompts.prompt)
    board = staticmethod(prompts.board)
    on_table = staticmethod(table_view.on_table)
    recognise = staticmethod(table_view.recognise)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)
    view = staticmethod(prompts.view)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What the open ends of a layout score, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def complete(self, photo: Photographed, rules: Rules, starter: Piece | None) -> Completed:  # noqa: ARG002
        """Which ends are covered, as the tiles lie."""
        return as_laid(photo)

    def piece(self, piece: Piece) -> Piece:
        """The tile as it is written: which of its ends are covered is told in that order."""
        super().piece(piece)
        return str(piece)

    def holds_secrets(self, rules: Rules) -> bool:
        """Only where hands are told: otherwise a state has the tiles on the table and the number that everybody holds."""
        return rules.hands == "told"

    def laid_by(self, move: Move) -> tuple[Piece, ...]:
        """The tile that was laid, without the one it lies against."""
        return (str(move.tiles[0]),) if move.verb == "play" else super().laid_by(move)

    def lay_before(self, state: State, move: Move) -> tuple[Piece, ...]:
        """The layout; in an opening the tiles drawn so far."""
        return table_view.lay_before(state, move)

    def seen_as_typed(self, state: State, pieces: tuple[Piece, ...]) -> Seen:
        """Typed tiles; in a turn the second is the one that the first is laid against."""
        return table_view.seen_as_typed(state, [Tile.parse(str(piece)) for piece in pieces])

    def advise(self, state: State, *, hands: bool) -> Advice | None:
        """The best tile to lay; it reveals the player's hand."""
        if not hands:
            return None
        from scorer.games.muggins import odds

        return odds.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """Worths by which a camera estimates draws and calls, which it does not see."""
        return priors.choice_worths(state, self.weighs_points)


register(Muggins())
