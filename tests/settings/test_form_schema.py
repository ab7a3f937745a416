import json
from collections.abc import Iterator
from dataclasses import asdict

import fastjsonschema
import pytest

from jupyter_ac.settings.app import AppSettings
from jupyter_ac.settings.files import APP, LITELLM, SettingsKind
from jupyter_ac.settings.form_schema import form_schemas
from jupyter_ac.settings.llm import LlmSettings, written_llm
from jupyter_ac.settings.schema import BrokenSettings

SCHEMAS = form_schemas()
DEFAULTS = {LITELLM: written_llm(LlmSettings()), APP: asdict(AppSettings())}


def leaves(
    schema: dict[str, object], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
    members = schema.get("properties")
    if not isinstance(members, dict):
        yield path, schema
        return
    for name, inner in members.items():
        yield from leaves(inner, (*path, name))


LEAVES = [(kind, path, leaf) for kind, schema in SCHEMAS.items() for path, leaf in leaves(schema)]


def set_to(path: tuple[str, ...], value: object) -> str:
    for name in reversed(path):
        value = {name: value}
    return json.dumps(value)


@pytest.mark.parametrize(("kind", "path", "leaf"), LEAVES)
def test_each_value_has_its_texts_and_the_default_of_the_program(
    kind: str, path: tuple[str, ...], leaf: dict[str, object]
) -> None:
    assert leaf["title"]
    assert str(leaf["description"]).endswith((".", "…"))
    default: object = DEFAULTS[kind]
    for name in path:
        assert isinstance(default, dict)
        default = default[name]
    assert leaf["default"] == (list(default) if isinstance(default, tuple) else default)


@pytest.mark.parametrize(("kind", "path", "leaf"), LEAVES)
def test_the_limits_of_the_form_are_those_of_the_file(
    kind: str, path: tuple[str, ...], leaf: dict[str, object]
) -> None:
    for name, step in (("minimum", -1), ("maximum", 1)):
        limit = leaf.get(name)
        if not isinstance(limit, int | float):
            continue
        SettingsKind(kind).check(set_to(path, limit))
        with pytest.raises(BrokenSettings):
            SettingsKind(kind).check(set_to(path, limit + step))
    if isinstance(leaf.get("enum"), list):
        with pytest.raises(BrokenSettings):
            SettingsKind(kind).check(set_to(path, "none of them"))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_validator_accepts_the_defaults(kind: str) -> None:
    valid = fastjsonschema.compile(SCHEMAS[kind])
    valid(json.loads(json.dumps(DEFAULTS[kind])))


def test_what_is_not_used_yet_is_in_no_form() -> None:
    assert "doc_index" not in str(SCHEMAS[APP])


def test_keys_and_older_names_are_marked() -> None:
    found = {path: leaf for kind, path, leaf in LEAVES if kind == LITELLM}
    assert found[("env",)]["x-secret"] is True
    assert found[("smaller_model",)]["x-alias"] == "smallerModel"


def test_lists_of_objects_say_what_each_needs() -> None:
    found = {path: leaf for kind, path, leaf in LEAVES if kind == APP}
    executor = found[("executors",)]["items"]
    assert isinstance(executor, dict)
    assert executor["required"] == ["name", "kind"]
    command = found[("panels", "commands")]["additionalProperties"]
    assert isinstance(command, dict)
    assert command["properties"]["protocol"]["enum"] == ["json-rpc", "kkrpc"]
