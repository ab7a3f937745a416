"""Code that is proposed for a cell, in notebooks, consoles and terminals."""

import io
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.kernel.cell_proposal import (
    PROPOSAL_MIME,
    Proposal,
    difference,
    is_console,
    propose,
)

DIFFERENCE = "--- the cell\n+++ the proposal\n@@ -1 +1 @@\n-x = 1\n+x = 2"


class _Shell:
    """What a shell has of this: a kernel or none, and the next input."""

    def __init__(self, *, allows_input: bool | None = None, **metadata: object) -> None:
        self.proposed: list[str] = []
        if allows_input is not None:
            message = {"metadata": metadata}
            self.kernel = SimpleNamespace(
                _allow_stdin=allows_input, get_parent=lambda _channel: message
            )

    def set_next_input(self, text: str) -> None:
        self.proposed.append(text)


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """The bundles that were displayed; there is no kernel that would send them."""
    bundles: list[dict[str, object]] = []

    def display(data: dict[str, object], *, raw: bool) -> None:
        assert raw
        bundles.append(data)

    monkeypatch.setattr("jupyter_ac.hosts.kernel.cell_proposal.display", display)
    return bundles


def test_a_notebook_and_a_program_without_input_get_a_cell_and_no_question(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    displayed: list[dict[str, object]],
) -> None:
    monkeypatch.setattr("builtins.input", lambda _words: pytest.fail("asked"))
    for shell in (
        _Shell(allows_input=True, cellId="a"),
        _Shell(allows_input=False),
    ):
        assert not is_console(shell)
        propose(shell, Proposal("x = 1", "x = 2", "b", 7))
        assert shell.proposed == ["x = 2"]
    assert capsys.readouterr().out == ""
    card = {"cell_id": "b", "number": 7, "before": "x = 1", "code": "x = 2"}
    assert displayed == 2 * [
        {
            "text/plain": DIFFERENCE,
            PROPOSAL_MIME: {"version": 1, "language": "python", **card},
        }
    ]


def test_where_the_page_draws_buttons_no_cell_is_added(
    displayed: list[dict[str, object]],
) -> None:
    shell = _Shell(allows_input=True, cellId="a")
    propose(shell, Proposal("x = 1", "x = 2\x1b[31m"), is_drawn=True)
    assert shell.proposed == []
    (bundle,) = displayed
    assert "+x = 2" in str(bundle["text/plain"])
    assert "\x1b" not in str(bundle["text/plain"])
    assert "'number': None, 'before': 'x = 1', 'code': 'x = 2\\x1b[31m'" in str(bundle)


@pytest.mark.parametrize(
    ("said", "proposed"),
    [
        ("y\n", ["x = 2\ny[31m"]),
        ("YES\n", ["x = 2\ny[31m"]),
        ("\n", []),
        ("n\n", []),
        ("", []),
    ],
)
@pytest.mark.parametrize("allows_input", [None, True], ids=["terminal", "console"])
def test_elsewhere_the_difference_is_shown_and_asked_about(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    allows_input: bool | None,
    said: str,
    proposed: list[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    shell = _Shell(allows_input=allows_input)
    propose(shell, Proposal("x = 1\ny\x1b[31m", "x = 2\ny\x1b[31m"))
    assert shell.proposed == proposed
    printed = capsys.readouterr().out
    assert "-x = 1\n+x = 2\n" in printed
    assert "\x1b" not in printed
    assert printed.endswith("[y/N] ")


def test_the_same_code_is_neither_shown_nor_asked_about(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    displayed: list[dict[str, object]],
) -> None:
    monkeypatch.setattr("builtins.input", lambda _words: pytest.fail("asked"))
    for shell in (_Shell(), _Shell(allows_input=True, cellId="a")):
        propose(shell, Proposal("x = 1\n", "x = 1"))
        assert shell.proposed == []
        assert capsys.readouterr().out == "The cell has this code already.\n"
    assert displayed == []


@given(st.text(alphabet="ab\n", max_size=30), st.text(alphabet="ab\n", max_size=30))
def test_a_difference_has_all_lines_of_both(before: str, code: str) -> None:
    lines = difference(before, code).splitlines()[2:]
    if before.splitlines() == code.splitlines():
        assert lines == []
    for sign, text in (("-", before), ("+", code)):
        changed = [line[1:] for line in lines if line.startswith(sign)]
        assert all(line in text.splitlines() for line in changed)
