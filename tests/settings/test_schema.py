import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.settings.schema import (
    MAX_FILE_BYTES,
    BrokenSettings,
    SettingsText,
    build,
    decode,
    parse,
    read_bytes,
)


@dataclass(frozen=True)
class Inner:
    count: int = field(default=1, metadata={"least": 0})


@dataclass(frozen=True)
class Outer:
    name: str = field(default="", metadata={"most": 8})
    on: bool = False
    ratio: float = 0.5
    limit: int | None = field(default=None, metadata={"most": 10})
    color: str = field(default="red", metadata={"words": ("red", "blue")})
    camel: str = field(default="", metadata={"alias": "camelCase"})
    inner: Inner = field(default_factory=Inner)
    pairs: Mapping[str, str] = field(default_factory=dict)
    span: tuple[int, ...] = (1, 2)
    rows: tuple[Inner, ...] = ()


@dataclass(frozen=True)
class Strict:
    needed: str


def load(path: Path) -> Outer:
    return build(Outer, parse(path.name, decode(path.name, read_bytes(path))))


def source(raw: object) -> SettingsText:
    return parse("x.json", json.dumps(raw, indent=1))


def test_what_is_not_said_keeps_its_default() -> None:
    assert build(Outer, source({})) == Outer()


def test_everything_can_be_said() -> None:
    raw = {
        "name": "n",
        "on": True,
        "ratio": 2,
        "limit": 3,
        "color": "blue",
        "camelCase": "c",
        "inner": {"count": 5, "unknown": 1},
        "pairs": {"a": "b"},
        "span": [3],
        "rows": [{"count": 2}],
        "unknown": {"deep": []},
    }
    assert build(Outer, source(raw)) == Outer(
        "n", True, 2.0, 3, "blue", "c", Inner(5), {"a": "b"}, (3,), (Inner(2),)
    )


def test_the_name_is_stronger_than_its_alias() -> None:
    assert build(Outer, source({"camel": "a", "camelCase": "b"})).camel == "a"


@pytest.mark.parametrize(
    ("raw", "line", "reason"),
    [
        ({"name": 1}, 2, "name must be a text in quotes."),
        ({"on": 1}, 2, "on must be true or false."),
        ({"on": "true"}, 2, "on must be true or false."),
        ({"ratio": True}, 2, "ratio must be a number."),
        ({"ratio": 10**400}, 2, "ratio must be a number that isn't too large."),
        ({"limit": 1.5}, 2, "limit must be a whole number or null."),
        ({"limit": True}, 2, "limit must be a whole number or null."),
        ({"limit": 11}, 2, "limit must be at most 10."),
        ({"name": None}, 2, "name must be a text in quotes."),
        ({"name": "long name"}, 2, "name is too long; 8 are allowed."),
        ({"color": "green"}, 2, "color must be one of red, blue."),
        ({"inner": 5}, 2, "inner must be an object: {…}."),
        ({"name": "n", "inner": {"count": -1}}, 4, "inner.count must be at least 0."),
        ({"pairs": {"a": "b", "c": 1}}, 4, "pairs.c must be a text in quotes."),
        ({"pairs": []}, 2, "pairs must be an object: {…}."),
        ({"span": 3}, 2, "span must be a list: […]."),
        ({"span": [1, "x"]}, 2, "span[1] must be a whole number."),
        ({"rows": [{"count": 0}, {"count": "x"}]}, 7, "rows[1].count must be a whole number."),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_what_belongs_there(
    raw: dict[str, object], line: int, reason: str
) -> None:
    with pytest.raises(BrokenSettings) as caught:
        build(Outer, source(raw))
    assert caught.value.message == f"x.json, line {line}: {reason}"
    assert caught.value.line == line


def test_a_value_without_a_default_is_asked_for() -> None:
    with pytest.raises(BrokenSettings, match=r"x\.json: needed is missing"):
        build(Strict, source({}))


def test_an_absent_or_empty_file_says_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / "x.json") == Outer()
    (tmp_path / "x.json").write_text(" \n")
    assert load(tmp_path / "x.json") == Outer()


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'\xef\xbb\xbf{"name": "n"}')
    assert load(tmp_path / "x.json").name == "n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n"a": 1,\n}', "x.json, line 3: "),
        (b'{"a": 1', "x.json, line 1: "),
        (b'{\n"a": "\xff"}', "x.json, line 2: not UTF-8"),
        (b"[1]", "x.json: it must contain an object"),
        (b'{\n"a": NaN}', "x.json, line 2: not a valid JSON number"),
        (b'{"a":' * 100_000, "x.json: it is nested too deep"),
        (b'{"b": 1,\n"a": ' + b"1" * 5000 + b"}", "x.json, line 2: not a valid JSON number"),
        (b'{\n// why\n"a": 1}', "x.json, line 2: JSON has no comments"),
        (b'{"a": 1 # why\n}', "x.json, line 1: JSON has no comments"),
        (b'{"a": 1,\n}', "x.json, line "),
        (b'{"a": [1, ]}', "x.json, line 1: there is a comma before this ]"),
        (b"{'a': 1}", "x.json, line 1: JSON needs double quotes"),
        (b'{"a": }', "x.json, line 1: Expecting value"),
        (b" " * (MAX_FILE_BYTES + 1), "x.json: it is longer than 1 MiB"),
    ],
)
def test_a_broken_file_is_said_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(BrokenSettings) as caught:
        load(tmp_path / "x.json")
    assert caught.value.message.startswith(message)


def test_what_is_no_plain_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(BrokenSettings, match=r"pipe\.json: it is not a regular file"):
        read_bytes(tmp_path / "pipe.json")
    before = sum(1 for _ in Path("/dev/fd").iterdir())
    for _ in range(3):
        with pytest.raises(BrokenSettings, match=r"folder\.json: it is not a regular file"):
            read_bytes(tmp_path / "folder.json")
    assert sum(1 for _ in Path("/dev/fd").iterdir()) == before


def test_a_comma_too_many_is_named_in_every_python() -> None:
    for text in ('{"a": 1,}', '{"a": 1, \n}', '{"a": {"b": 2,}}'):
        with pytest.raises(BrokenSettings, match="there is a comma before this }"):
            parse("x.json", text)


def test_a_message_holds_no_secret_and_no_endless_name() -> None:
    key = "sk-0123456789abcdef0123456789"
    for raw in ({"pairs": {key: 1}}, {"pairs": {"k" * 5000: 1}}):
        with pytest.raises(BrokenSettings) as caught:
            build(Outer, source(raw))
        assert key not in caught.value.message
        assert len(caught.value.message) < 200


@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_whatever_stands_in_a_file_is_read_or_refused_in_our_words(data: bytes) -> None:
    with suppress(BrokenSettings):
        assert isinstance(build(Outer, parse("x.json", decode("x.json", data))), Outer)
