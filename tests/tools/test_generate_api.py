"""`make docs`: what it reads off the code, how it writes it down, and what it refuses."""

import inspect
import subprocess
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Literal, NewType, NotRequired, TypedDict

import pytest

from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from tools import generate_api
from tools.api import markdown, typescript
from tools.api.shapes import shapes
from tools.api.structure import structure
from tools.api.surface import Parameter, methods, pushed

ROOT = Path(__file__).parents[2]
Path_ = NewType("Path_", str)


class Base(TypedDict):
    """A base.

    Attributes:
        size: in bytes;
            never negative.
    """

    size: int


class Thing(Base):
    """A thing
    of this test.
    """

    name: str
    rest: NotRequired["list[Thing]"]


class Word(StrEnum):
    NONE = ""
    A = "a"


def same_name() -> type:
    class Thing(TypedDict):
        other: int

    return Thing


class Part:
    @method(Access.WRITE)
    def change(
        self, path: str, _idle: object = None, count: int = 1, *further: str
    ) -> Thing | None:
        """Change a thing.

        It stays changed.
        """
        assert path
        assert count
        assert not further
        return None

    @method(Access.READ)
    def look(self) -> list[Thing]:
        """Look at all."""
        return []


TABLE = MethodTable(Namespace("Things", Part(), aliases=("T",)))


def test_a_method_is_described_once_with_its_aliases() -> None:
    change, look = methods(TABLE)
    assert (change.name, change.aliases, change.access) == (
        "Things.change",
        ("T.change",),
        Access.WRITE,
    )
    assert (change.summary, change.details) == ("Change a thing.", "It stays changed.")
    assert [found.name for found in change.parameters] == ["path", "idle", "count", "further"]
    assert [found.is_required for found in change.parameters] == [True, False, False, False]
    assert look.result == list[Thing]


def test_the_events_are_those_that_the_host_pushes() -> None:
    found = {entry.name: [each.name for each in entry.parameters] for entry in pushed()}
    assert found["streamDelta"] == ["request_id", "offset", "text"]
    assert "event" not in found


def test_a_shape_has_inherited_members_with_their_meanings() -> None:
    (thing,) = shapes([list[Thing] | None])
    assert (thing.name, thing.doc) == ("Thing", "A thing of this test.")
    assert [(each.name, each.is_optional, each.meaning) for each in thing.members] == [
        ("size", False, "In bytes; never negative."),
        ("name", False, ""),
        ("rest", True, ""),
    ]


def test_two_shapes_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Thing"):
        shapes([Thing, same_name()])


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        (str, "string"),
        (float, "number"),
        (object, "unknown"),
        (Path_, "string"),
        (Thing, "Thing"),
        (str | None, "string | null"),
        (list[str | None], "(string | null)[]"),
        (Sequence[Sequence[int]], "number[][]"),
        (Mapping[str, Thing], "Record<string, Thing>"),
        (Literal["a", "b"], "'a' | 'b'"),
        (Word, "'' | 'a'"),
        (list[Word], "('' | 'a')[]"),
    ],
)
def test_a_type_is_written_in_typescript(hint: object, written: str) -> None:
    assert typescript.notation(hint) == written


@pytest.mark.parametrize(
    ("hint", "described"),
    [
        (str | None, "string | null"),
        (Thing, {"size": "number", "name": "string", "rest?": ["as above"]}),
        (list[Base], [{"size": "number"}]),
        (Sequence[int], "number[]"),
        (Mapping[str, Base], {"by name": {"size": "number"}}),
        (Mapping[str, int], "Record<string, number>"),
        (Base | None, {"one of": [{"size": "number"}, "null"]}),
        (Literal["a", "b"], "'a' | 'b'"),
        (Word, "'' | 'a'"),
        (list[Word], "('' | 'a')[]"),
    ],
)
def test_a_type_is_described_by_the_members_of_its_json(hint: object, described: object) -> None:
    assert structure(hint) == described


@pytest.mark.parametrize("hint", [bytes, dict[int, str], set[str], Literal[1]])
def test_a_type_without_a_counterpart_is_refused(hint: object) -> None:
    with pytest.raises(TypeError, match="no counterpart"):
        typescript.notation(hint)
    with pytest.raises(TypeError, match="no counterpart"):
        structure(hint)


def test_a_parameter_is_written_as_a_labelled_member() -> None:
    assert typescript.parameter(Parameter("a", list[str])) == "a: readonly string[]"
    assert typescript.parameter(Parameter("a", int, 1)) == "a?: number"
    rest = Parameter("a", object, inspect.Parameter.empty, is_rest=True)
    assert typescript.parameter(rest) == "...a: unknown[]"


def test_the_types_have_methods_events_and_protocol() -> None:
    called = methods(TABLE)
    text = typescript.document(called, pushed(), shapes(each.result for each in called), 7)
    assert "export const PROTOCOL = 7;" in text
    assert "params: [path: string, idle?: unknown, count?: number, ...further: string[]];" in text
    assert "result: Thing | null;" in text
    assert "  rest?: Thing[];" in text
    assert "T.change" not in text


def test_the_page_says_access_defaults_aliases_and_links_shapes() -> None:
    called = methods(TABLE)
    text = markdown.document(called, pushed(), shapes(each.result for each in called), 7)
    assert "Also as `T`." in text
    assert "#### `Things.change(path, idle?, count?, ...further)`" in text
    assert "Access: write. Result: [`Thing`](#thing) or `null`." in text
    assert "| `idle` | `unknown` | `null`; accepted, of no effect yet |" in text
    assert "{{" not in text


def test_every_error_has_one_remedy_and_every_remedy_an_error() -> None:
    assert set(markdown.error_types()) == set(markdown.REMEDIES)


def test_check_fails_until_the_files_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate_api.main(["--check"], tmp_path) == 1
    assert "docs/rpc.md" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert generate_api.main([], tmp_path) == 0
    assert generate_api.main(["--check"], tmp_path) == 0
    (tmp_path / "docs/rpc.md").write_text("older", encoding="utf-8")
    assert generate_api.main(["--check"], tmp_path) == 1


def test_the_schema_of_a_method_that_has_gone_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate_api.main([], tmp_path) == 0
    old = tmp_path / "jupyter_ac/schemas/Repo.gone.json"
    old.write_text("{}", encoding="utf-8")
    assert generate_api.main(["--check"], tmp_path) == 1
    assert "Repo.gone.json" in capsys.readouterr().err
    assert generate_api.main([], tmp_path) == 0
    assert not old.exists()


def test_the_types_are_laid_out_as_the_formatter_would() -> None:
    done = subprocess.run(
        ["npx", "--no-install", "biome", "check", generate_api.TYPES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
