from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.schema import MAX_FILE_BYTES, Rule, build, load_object


@dataclass(frozen=True)
class Inner:
    count: int = field(default=1, metadata={"rule": Rule(least=0)})


@dataclass(frozen=True)
class Outer:
    name: str = ""
    on: bool = False
    ratio: float = 0.5
    limit: int | None = None
    color: str = field(default="red", metadata={"rule": Rule(words=("red", "blue"))})
    camel: str = field(default="", metadata={"rule": Rule(alias="camelCase")})
    inner: Inner = field(default_factory=Inner)
    pairs: Mapping[str, str] = field(default_factory=dict)
    span: tuple[int, ...] = (1, 2)


@dataclass(frozen=True)
class Strict:
    needed: str


def test_what_is_not_said_keeps_its_default() -> None:
    assert build(Outer, {}, "x.json") == Outer()


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
        "unknown": {"deep": []},
    }
    assert build(Outer, raw, "x.json") == Outer(
        "n", True, 2.0, 3, "blue", "c", Inner(5), {"a": "b"}, (3,)
    )


def test_the_name_is_stronger_than_its_alias() -> None:
    assert build(Outer, {"camel": "a", "camelCase": "b"}, "x.json").camel == "a"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"name": 1}, "x.json: name must be a text in quotes."),
        ({"on": 1}, "x.json: on must be true or false."),
        ({"on": "true"}, "x.json: on must be true or false."),
        ({"ratio": True}, "x.json: ratio must be a number."),
        ({"limit": 1.5}, "x.json: limit must be a whole number or null."),
        ({"limit": True}, "x.json: limit must be a whole number or null."),
        ({"name": None}, "x.json: name must be a text in quotes."),
        ({"color": "green"}, "x.json: color must be one of red, blue."),
        ({"inner": 5}, "x.json: inner must be an object: {…}."),
        ({"inner": {"count": -1}}, "x.json: inner: count must be at least 0."),
        ({"pairs": {"a": 1}}, "x.json: pairs.a must be a text in quotes."),
        ({"pairs": []}, "x.json: pairs must be an object: {…}."),
        ({"span": 3}, "x.json: span must be a list: […]."),
        ({"span": ["x"]}, "x.json: span[] must be a whole number."),
    ],
)
def test_a_wrong_value_is_named_with_what_belongs_there(
    raw: dict[str, object], message: str
) -> None:
    with pytest.raises(NotReady) as caught:
        build(Outer, raw, "x.json")
    assert caught.value.message == message


def test_a_value_without_a_default_is_asked_for() -> None:
    with pytest.raises(NotReady, match=r"x\.json: needed is missing"):
        build(Strict, {}, "x.json")


def test_an_absent_or_empty_file_says_nothing(tmp_path: Path) -> None:
    assert load_object(tmp_path / "x.json") == {}
    (tmp_path / "x.json").write_text(" \n")
    assert load_object(tmp_path / "x.json") == {}


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert load_object(tmp_path / "x.json") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n"a": 1,\n}', "x.json, line 3: "),
        (b'{"a": 1', "x.json, line 1: "),
        (b'{\n"a": "\xff"}', "x.json, line 2: not UTF-8"),
        (b"[1]", "x.json must hold an object"),
        (b'{"a":' * 100_000, "x.json is nested too deep"),
        (b'{"a": ' + b"1" * 5000 + b"}", "x.json is nested too deep or holds a number too long"),
        (b" " * (MAX_FILE_BYTES + 1), "x.json is longer than 1 MiB"),
    ],
)
def test_a_broken_file_is_said_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(NotReady) as caught:
        load_object(tmp_path / "x.json")
    assert caught.value.message.startswith(message)


def test_a_file_that_can_not_be_read_is_said_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "x.json").mkdir()
    with pytest.raises(NotReady, match=r"x\.json can't be read: Is a directory") as caught:
        load_object(tmp_path / "x.json")
    assert str(tmp_path) not in caught.value.message
