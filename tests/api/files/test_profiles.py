from __future__ import annotations

from pathlib import Path

import pytest

from api.files.profiles import InvalidProfile, NoProfile, Profiles
from vision.taught.profile import Profile


@pytest.fixture
def kept(tmp_path: Path) -> Profiles:
    return Profiles(tmp_path / "profiles")


def test_a_name_that_ends_like_a_file_is_that_of_another_profile(kept: Profiles) -> None:
    kept.put(Profile("foo.json"))
    assert kept.find("foo") == Profile("foo")
    kept.put(Profile("foo"))
    assert kept.names() == ["foo", "foo.json"]
    assert [kept.get(name).name for name in kept.names()] == ["foo", "foo.json"]
    kept.delete("foo.json")
    assert kept.names() == ["foo"]


def test_a_file_in_the_folder_is_named_by_its_own_name_too(kept: Profiles) -> None:
    kept.put(Profile("foo"))
    assert kept.get("foo.json").name == "foo"
    damaged = kept.folder / "x!.json"
    damaged.write_text("{")
    kept.delete("x!.json")
    assert not damaged.exists()
    kept.delete("foo.json")
    assert kept.names() == []


def test_a_file_elsewhere_is_read_and_never_deleted(kept: Profiles, tmp_path: Path) -> None:
    file = Profiles(tmp_path).put(Profile("foo"))
    assert kept.get(str(file)).name == "foo"
    with pytest.raises((NoProfile, InvalidProfile)):
        kept.get(str(file), elsewhere=False)
    with pytest.raises((NoProfile, InvalidProfile)):
        kept.delete(str(file))
    assert file.exists()


def test_what_to_type_for_a_missing_profile_can_be_pasted(kept: Profiles) -> None:
    with pytest.raises(NoProfile, match=r"muggins teach 'my dice' PHOTO"):
        kept.get("my dice")
    with pytest.raises(InvalidProfile):
        kept.get("../x")
