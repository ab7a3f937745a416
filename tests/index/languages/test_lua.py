"""Lua: modules by `require`, classes as tables, variables that are local when they say so."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from tests.support.indexed import imported, meant, record_of, state_of


@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("app.util", "lua/app/util.lua"),
        ("app/util", "lua/app/util.lua"),
        ("app", "lua/app/init.lua"),
        ("own", "bin/own.lua"),
        ("deep.part", "rocks/x/deep/part.lua"),
        ("cjson", None),
    ],
)
def test_a_module_is_found_from_the_folders_around(module: str, file: str | None) -> None:
    others = ("lua/app/util.lua", "lua/app/init.lua", "bin/own.lua", "rocks/x/deep/part.lua")
    state = state_of({"bin/main.lua": f'require("{module}")\n', **dict.fromkeys(others, "")})
    assert imported(state, "bin/main.lua") == [file]


def test_a_path_is_opened_as_it_stands() -> None:
    state = state_of({"a/main.lua": 'dofile("part.lua")\n', "a/part.lua": ""})
    assert imported(state, "a/main.lua") == ["a/part.lua"]


def test_functions_of_a_module_are_known_by_its_name_in_the_importing_file() -> None:
    files = {
        "main.lua": 'local u = require "util"\nu.log(1)\n',
        "util.lua": "local M = {}\nfunction M.log(x) end\nreturn M\n",
        "other.lua": "function log() end\n",
    }
    assert meant(state_of(files), "main.lua", "log") == "util.lua:M.log"


@pytest.mark.parametrize("name", ["Account", "account", "A"])
def test_a_module_that_returns_a_class_is_that_class(name: str) -> None:
    files = {
        "main.lua": f'local {name} = require "account"\n{name}.open(1)\n',
        "account.lua": "local Account = {}\nfunction Account.open(o) end\nreturn Account\n",
    }
    assert meant(state_of(files), "main.lua", "open") == "account.lua:Account.open"


def test_self_is_the_class_and_what_it_extends() -> None:
    base = "local Base = {}\nfunction Base:save() end\nreturn Base\n"
    text = (
        'local Base = require "base"\n'
        "local Page = setmetatable({}, { __index = Base })\n"
        "function Page:show() self:draw(); self:save() end\n"
        "function Page:draw() end\n"
    )
    state = state_of({"page.lua": text, "base.lua": base})
    assert meant(state, "page.lua", "draw") == "page.lua:Page.draw"
    assert meant(state, "page.lua", "save") == "base.lua:Base.save"


def test_a_global_function_is_the_only_one_of_its_name() -> None:
    files = {"main.lua": "start_everything()\n", "lib.lua": "function start_everything() end\n"}
    assert meant(state_of(files), "main.lua", "start_everything") == "lib.lua:start_everything"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("local Config = {}\nfunction Config.read() end\n", ["module", "function"]),
        ("local Page = {}\nPage.__index = Page\nfunction Page.new() end\n", ["class", "method"]),
        ("local page = {}\nfunction page:show() end\n", ["class", "method"]),
        ("local Options = { a = 1, f = function() end }\n", ["variable", "function"]),
    ],
)
def test_an_empty_table_is_a_class_if_it_has_objects_or_methods(
    text: str, kinds: list[str]
) -> None:
    symbols = record_of(state_of({"a.lua": text}), "a.lua").symbols
    assert [symbol.kind for symbol in symbols] == kinds


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("function f(x) return x end\nprint(x)", [True, True, False]),
        ("function f() local x = 1; x = 2 end\nx = 3", [True, True, False]),
        ("function f() x = 1 end", [False]),
        ("for x = 1, 2 do print(x) end\nprint(x)", [True, True, False]),
        ("for k, x in pairs(t) do print(x) end\nprint(x)", [True, True, False]),
        ("do local x end\nprint(x)", [True, False]),
        ("function f() t.x = 1; local y = { x = 2 } end", [False, False]),
    ],
)
def test_a_variable_is_local_where_it_is_declared_so(text: str, places: list[bool]) -> None:
    found = occurrences_of("lua", text.encode(), ["x"])
    assert [each.is_local for each in found] == places


def test_the_value_of_a_declaration_is_an_earlier_variable() -> None:
    found = occurrences_of("lua", b"function f(x) local x = x; return x end", ["x"])
    assert [each.local for each in found] == [(1, 11), (1, 20), (1, 11), (1, 20)]
