"""Who signed the head of the record, and whether it is the record that people saw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.evidence.findings import Finding, Level
from api.evidence.keys import BadSignature, Head, SignedHead, same_head, short
from api.evidence.throws import hash_of
from scorer.engine.record import Record


def check_signature(said: object, record: Record, key: str | None) -> tuple[Finding, SignedHead | None]:
    """Whether a server has signed the head of the record.

    Args:
        said: the signed head in the manifest; None without one.
        record: that it should be of.
        key: the server's known public key, if any.

    Returns:
        The finding, and the signed head if the signature is right.
    """
    if said is None:
        level: Level = "wrong" if key else "warning"
        text = "The record is not signed by a server: its owner could have rewritten it."
        return Finding(level, "unsigned", text), None
    try:
        signed = SignedHead.from_json(said if isinstance(said, dict) else {})
        signed.check()
    except BadSignature as error:
        return Finding("wrong", "signature", str(error)), None
    if signed.head != Head.of(record, signed.head.game):
        who = short(signed.key.hex())
        text = f"The signature of the server with key {who} is for another head than this record's."
        return Finding("wrong", "signature", text), None
    return _check_signer(signed, key), signed


def _check_signer(signed: SignedHead, key: str | None) -> Finding:
    who = short(signed.key.hex())
    if key is None:
        return Finding("ok", "signature", f"The server with the key {who} has signed this head; is that its key?")
    if not same_head(key, signed.key.hex()):
        return Finding("wrong", "other-key", f"It was signed with the key {who}, not with the one that you named.")
    return Finding("ok", "signature", f"The server with the key {who}, which you named, has signed this head.")


def check_noted_heads(heads: Sequence[str], record: Record) -> Iterator[Finding]:
    """Whether each of the heads that somebody noted is that of a line."""
    hashes = [hash_of(line) for line in record.lines]
    for kept in heads:
        at = next((at for at, each in enumerate(hashes, start=1) if same_head(kept, each)), 0)
        if at:
            text = f"The head you noted, {kept}, is the head after line {at}."
            if at < len(hashes):
                text = f"{text} It proves nothing of what follows."
            yield Finding("ok", "noted-head", text, at)
        else:
            text = f"The head you noted, {kept}, matches no line: this is not the record you saw."
            yield Finding("wrong", "noted-head", text)
