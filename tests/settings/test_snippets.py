import json

import pytest

from jupyter_ac.settings.schema import BrokenSettings, parse
from jupyter_ac.settings.snippets import MODES, Snippet, Snippets, bundled_snippets, read_snippets


def read(raw: object) -> Snippets:
    return read_snippets(parse("snippets.json", json.dumps(raw)))


def test_the_lists_are_read_by_mode() -> None:
    raw = {"code": [{"icon": "x", "tooltip": "t", "message": "m"}], "doc": [], "more": 1}
    assert read(raw) == {"code": (Snippet("m", "x", "t"),), "doc": ()}


def test_the_older_form_is_read_too() -> None:
    raw = {
        "snippets": [
            {"mode": "review", "message": "r"},
            {"message": "c", "icon": "i"},
            {"mode": "code", "message": "d"},
        ]
    }
    assert read(raw) == {
        "review": (Snippet("r"),),
        "code": (Snippet("c", "i"), Snippet("d")),
    }


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({"code": [{"icon": "x"}]}, r"code\[0\].message is missing"),
        ({"code": [{"message": "m", "icon": "x" * 17}]}, r"code\[0\].icon is too long"),
        ({"code": [{"message": "m" * 20_001}]}, r"code\[0\].message is too long"),
        ({"code": [{"message": "m"}] * 201}, "code is too long; 200 are allowed"),
        ({"review": {"message": "m"}}, "review must be a list"),
        ({"snippets": [{"mode": "x", "message": "m"}]}, r"snippets\[0\].mode must be one of"),
    ],
)
def test_a_wrong_one_is_named(raw: object, reason: str) -> None:
    with pytest.raises(BrokenSettings, match=f"snippets.json, line 1: {reason}"):
        read(raw)


def test_ours_are_there_for_each_mode_and_say_what_they_are_for() -> None:
    bundled = bundled_snippets()
    assert set(bundled) == set(MODES)
    for mode, least in (("code", 5), ("review", 3), ("doc", 2)):
        assert len(bundled[mode]) >= least
        assert len({snippet.tooltip for snippet in bundled[mode]}) == len(bundled[mode])
        assert all(
            snippet.icon and snippet.tooltip and snippet.message for snippet in bundled[mode]
        )
