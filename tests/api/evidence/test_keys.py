"""The server's key and what it signs."""

from __future__ import annotations

import os
import stat
from base64 import b32decode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from api.evidence.keys import FILE, BadSignature, Head, KeyFileError, ServerKey, SignedHead, mistyped, same_head, short
from scorer.engine.record import Record
from tests.api.evidence.conftest import typed

HASH = "5b1589ef0ff5a074275ea79b405e625834cc34a4fcb0b76003e6bdbfabbe8ab1"


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    made = ServerKey.open(tmp_path / "new" / "data")
    file = tmp_path / "new" / "data" / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    assert ServerKey.open(file.parent).public == made.public
    assert (file.read_bytes(), os.listdir(file.parent)) == (before, [FILE])
    assert ServerKey.open(tmp_path).public != made.public
    assert "rivate" not in repr(made).replace("_private", "")


def test_servers_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: ServerKey.open(tmp_path).public, range(24)))
    assert len(set(keys)) == 1
    assert os.listdir(tmp_path) == [FILE]


def test_a_signature_holds_for_its_head_alone(key: ServerKey, tile_game: Record) -> None:
    signed = key.sign(Head.of(tile_game, "g-1"))
    signed.check()
    assert SignedHead.from_json(signed.to_json()) == signed
    other = Head.of(typed(tile_game, "play 6-3"), "g-1")
    for head in (other, replace(signed.head, game="g-2"), replace(signed.head, lines=11)):
        with pytest.raises(BadSignature):
            replace(signed, head=head).check()


def test_a_signature_holds_for_its_key_alone(key: ServerKey, tmp_path: Path) -> None:
    signed = key.sign(Head("g-1", 3, HASH))
    forged = ServerKey.open(tmp_path).sign(signed.head)
    for wrong in (
        replace(signed, key=forged.key),
        replace(signed, signature=forged.signature),
        replace(signed, signature=signed.signature[:-1]),
        replace(signed, key=b""),
    ):
        with pytest.raises(BadSignature):
            wrong.check()


def test_what_is_signed_is_written_down_so_that_others_can_check_it(key: ServerKey) -> None:
    signed = key.sign(Head("g-1", 3, HASH))
    message = b"muggins record head 1\ng-1\n3\n" + HASH.encode() + b"\n"
    Ed25519PublicKey.from_public_bytes(signed.key).verify(signed.signature, message)


@pytest.mark.parametrize("strange", [{}, {"lines": True}, {"lines": "3"}, {"head": "5B"}, {"game": "a\nb"}, {"key": 7}])
def test_a_signature_that_is_written_strangely_is_none(key: ServerKey, strange: dict[str, object]) -> None:
    written = key.sign(Head("g-1", 3, HASH)).to_json()
    with pytest.raises(BadSignature):
        SignedHead.from_json({**written, **strange} if strange else {})


def test_the_short_form_is_the_beginning_of_the_hash() -> None:
    assert short(HASH) == "LMKY-T3YP-6WQH-IJ26"
    assert b32decode(short(HASH).replace("-", "")).hex() == HASH[:20]


@pytest.mark.parametrize("kept", ["LMKY-T3YP-6WQH-IJ26", "lmky t3yp 6wqh ij26", HASH, HASH.upper()])
def test_a_noted_head_is_known_again(kept: str) -> None:
    assert same_head(kept, HASH)
    assert not same_head(kept, HASH.replace("5b", "5c", 1))


@pytest.mark.parametrize("kept", ["", "LMKY", HASH[:20], "LMKY-T3YP-6WQH-IJ27"])
def test_less_than_the_short_form_proves_nothing(kept: str) -> None:
    assert not same_head(kept, HASH)


@pytest.mark.parametrize("kept", ["LMKY-T3YP-6WQH-IJ26", "lmky t3yp 6wqh ij26 ", HASH, HASH.upper(), short(HASH[::-1])])
def test_what_can_be_a_code(kept: str) -> None:
    assert mistyped(kept) is None


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        ("LMKY", "'LMKY' has 4."),
        ("LMKY-T3YP-6WQH-IJ2", "has 15."),
        (HASH[:63], "has 63."),
        ("LMKY-T3YP-6WQH-0J08", "has 0, 8, which none has."),
        (f"g{HASH[1:]}", "has g, which none has."),
        ("", "'' has 0."),
    ],
)
def test_a_code_that_is_mistyped(kept: str, why: str) -> None:
    said = mistyped(kept)
    assert said
    assert said.endswith(why)


# What can be wrong with the file


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    ServerKey.open(tmp_path)
    (tmp_path / FILE).chmod(0o640)
    with pytest.raises(KeyFileError, match="chmod 600"):
        ServerKey.open(tmp_path)


def _pem_of_another_kind() -> bytes:
    return generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize("content", [b"", b"Dear Ben,\n", _pem_of_another_kind()])
def test_a_file_that_is_no_such_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / FILE
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(KeyFileError, match="no Ed25519 key"):
        ServerKey.open(tmp_path)
    assert file.read_bytes() == content


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError, match="Cannot use the signing key"):
        ServerKey.open(tmp_path / "file")
