"""The filter file: what it may contain, how it is written, whom it doesn't trust."""

import fcntl
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser import filter_file
from jupyter_ac.browser.filter_file import (
    MAX_FILE_BYTES,
    MAX_GLOBS,
    RESERVED_NAMES,
    change_groups,
    checked_hide,
    checked_name,
    read_groups,
)
from jupyter_ac.browser.url_globs import MAX_GLOB_CHARS
from jupyter_ac.errors import AcError, Busy, Conflict, InvalidParams, RefusedPath, TooLarge

ADS = {"types": ["Ping"], "urls": ["*://ads.example.com/*"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".jupyter_ac" / "filters.json"


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def add(path: Path, name: str = "ads", hide: object = ADS) -> None:
    change_groups(path, lambda groups: groups.update({name: {"hide": hide}}))


def test_without_a_file_there_are_no_groups(path: Path) -> None:
    assert read_groups(path) == {}
    path.parent.mkdir()
    assert read_groups(path) == {}


def test_what_is_written_is_read(path: Path) -> None:
    add(path)
    assert read_groups(path) == {"ads": ADS}
    assert [file.name for file in path.parent.iterdir()] == ["filters.json"]
    assert change_groups(path, dict.clear) == {}
    assert read_groups(path) == {}


def test_what_is_beside_the_groups_is_kept(path: Path) -> None:
    groups: dict[str, object] = {"a": {"hide": ADS, "description": "mine"}}
    content = {"$schema": "x", "note": "half \ud83d", "groups": groups}
    write(path, json.dumps(content))
    path.chmod(0o640)
    add(path)
    groups["ads"] = {"hide": ADS}
    assert json.loads(path.read_bytes()) == content
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "line 1, column 1"),
        ('{"groups":\n {]}', "line 2, column 3"),
        (b"\xff\xfe", "UTF-8"),
        ("[]", "must be an object"),
        ('{"groups": []}', '"groups" must be an object'),
        ('{"groups": {"a": []}}', 'group "a"'),
        ('{"groups": {"a": {}}}', '"hide" of the filter group "a"'),
        ('{"groups": {"a": {"hide": {"types": "x"}}}}', '"types" of the filter group "a"'),
        ('{"groups": {"a": {"hide": {"urls": [1]}}}}', '"urls" of the filter group "a"'),
        ('{"groups": {"a": {"hide": {"urls": ["x"]}}, "a": {}}}', '"a" occurs twice'),
        ('{"groups": {"__proto__": {"hide": {"urls": ["x"]}}}}', "reserved"),
        ('{"groups": {"a": {"hide": {"urls": ["\\ud800"]}}}}', "unprintable"),
        ('{"n": ' + "9" * 5000 + "}", "limit"),
        ("[" * 200_000, "too deeply"),
        ('{"a":' * 100_000, "too deeply"),
    ],
)
def test_a_broken_file_is_refused_and_stays(path: Path, content: str | bytes, reason: str) -> None:
    write(path, content)
    before = path.read_bytes()
    for use in (read_groups, add):
        with pytest.raises(Conflict) as refused:
            use(path)
        assert reason in refused.value.message
        assert "filters.json" in refused.value.message
        assert str(path.parent) not in refused.value.message
    assert path.read_bytes() == before


def test_a_mark_of_the_byte_order_is_no_harm(path: Path) -> None:
    assert read_groups(write(path, b'\xef\xbb\xbf{"groups": {}}')) == {}


def test_long_files_are_refused(path: Path) -> None:
    write(path, b" " * (MAX_FILE_BYTES + 1))
    for use in (read_groups, add):
        with pytest.raises(TooLarge):
            use(path)


def test_many_equal_names_are_found_soon(path: Path) -> None:
    names = ",".join(f'"{number}":0' for number in range(120_000))
    with pytest.raises(Conflict, match='"7" occurs twice'):
        read_groups(write(path, f'{{{names},"7":1}}'))


def test_links_are_not_followed(path: Path, tmp_path: Path) -> None:
    secret = write(tmp_path / "elsewhere" / "secret.json", json.dumps({"groups": {}}))
    path.parent.mkdir()
    path.symlink_to(secret)
    for use in (read_groups, add):
        with pytest.raises(RefusedPath):
            use(path)
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(secret.parent)
    for use in (read_groups, add):
        with pytest.raises(RefusedPath):
            use(path)
    assert secret.read_text(encoding="utf-8") == '{"groups": {}}'
    assert list(secret.parent.iterdir()) == [secret]


def test_a_pipe_holds_nobody_up(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    for use in (read_groups, add):
        with pytest.raises(RefusedPath):
            use(path)


def test_a_folder_in_the_files_place_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    for use in (read_groups, add):
        with pytest.raises(RefusedPath):
            use(path)


def test_a_failed_write_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(path)
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(TooLarge):
        add(path, "more")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["filters.json"]


def test_another_writer_is_waited_for_but_not_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(path)
    monkeypatch.setattr(filter_file, "_LOCK_S", 0.05)
    holder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(Busy):
            add(path, "more")
    finally:
        os.close(holder)
    add(path, "more")


def test_limits_hold_for_all_groups_together(path: Path) -> None:
    urls = [f"*{number}" for number in range(MAX_GLOBS)]
    add(path, "many", {"urls": urls})
    for hide in ({"urls": ["x"]}, {"urls": [*urls, "x"]}):
        with pytest.raises(TooLarge):
            add(path, "more", hide)
    change_groups(path, dict.clear)
    with pytest.raises(TooLarge):
        add(path, "long", {"urls": [f"{number:0{MAX_GLOB_CHARS}}" for number in range(1001)]})
    with pytest.raises(TooLarge):
        change_groups(
            path, lambda groups: groups.update({str(n): {"hide": ADS} for n in range(101)})
        )
    assert read_groups(path) == {}


@pytest.mark.parametrize(
    "name", ["", " ", "a ", "a\nb", "a" * 65, "\ud800", *sorted(RESERVED_NAMES), 1, None]
)
def test_names_that_cannot_be(name: object) -> None:
    with pytest.raises(InvalidParams):
        checked_name(name)


@pytest.mark.parametrize("name", ["ads", "Ads & more", "größer", "a" * 64, "__init__"])
def test_names_that_can_be(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "hide", [None, [], {}, {"types": []}, {"url": ["x"]}, {"urls": [""]}, {"urls": ["a" * 501]}]
)
def test_a_group_that_hides_nothing_or_anything_else(hide: object) -> None:
    with pytest.raises(InvalidParams):
        checked_hide("a", hide)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["groups", "hide", "types", "urls", "a", "__proto__"]), inner
        )
    ),
    max_leaves=8,
)


@given(JSON | st.binary(max_size=30))
def test_any_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: object
) -> None:
    path = tmp_path_factory.mktemp("filters") / "filters.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    try:
        groups = read_groups(path)
    except AcError:
        return
    for name, hide in groups.items():
        assert checked_hide(checked_name(name), hide) == hide
