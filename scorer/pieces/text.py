"""Numbers and lists as a player says them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

# fmt: off
_SMALL = (
    "nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
# fmt: on
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(number: int) -> str:
    """The number as counted aloud, 0 being "nothing"; from 100 on in digits."""
    if not 0 <= number < 100:
        return str(number)
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def several(count: int, value: int) -> str:
    """Dice of one value in words: "a 5", "three 5s"."""
    return f"{'an' if value in (8, 11) else 'a'} {value}" if count == 1 else f"{in_words(count)} {value}s"


def listed(parts: Sequence[str]) -> str:
    """The parts in one phrase: "a", "a and b", "a, b, and c"."""
    if len(parts) < 3:
        return " and ".join(parts)
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


def one_of(parts: Sequence[str]) -> str:
    """The parts to choose one from, in one phrase: "a", "a or b", "a, b, or c"."""
    if len(parts) < 3:
        return " or ".join(parts)
    return ", ".join(parts[:-1]) + f", or {parts[-1]}"


def in_a_row(count: int, what: str) -> str:
    """A streak in words: "1 farkle", "2 farkles in a row"; empty for none."""
    return "" if not count else f"1 {what}" if count == 1 else f"{count} {what}s in a row"


def points(number: int) -> str:
    """A number of points in words: "no points", "1 point", "8 points"."""
    return {0: "no points", 1: "1 point"}.get(number, f"{number} points")


def dice_in_a_row(values: Iterable[int]) -> str:
    """The values as they are written down: "5-5-2"."""
    return "-".join(map(str, values))


def sentence(text: str) -> str:
    """The text with a capital at its start and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}."


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to add to an error message: " Did you mean 'bonus'?"; empty where none of the known words is close."""
    close = get_close_matches(word.lower(), known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
