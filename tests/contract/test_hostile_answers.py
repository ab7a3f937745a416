"""What an answer may not do, at each door: run code, send files, keep the panel from opening.

The answers are scripted by the questions (`tests/support/model_server.py`).
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS
from jupyter_ac.chat.edit_blocks.retry import MOST_RETRIES
from jupyter_ac.chat.pagination import PAGE_BYTES
from tests.chat.edited import edit
from tests.contract.contract import contract
from tests.contract.doors import DOORS, Client, Door, HostEnvironment
from tests.services.llm.pages import objects
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository

MOST_ROWS: Final = (1 + MOST_RETRIES) * MAX_BLOCKS
HOOK: Final = ".githooks/post-index-change"
SECRETS: Final = {
    ".env": "wordenv",
    "secrets/prod.json": "wordprod",
    "id_rsa": "wordkey",
    "private.txt": "wordprivate",
}
LONG: Final = {"letters": "a", "squares": "🟧", "spaces": " "}
LONG_CHARS: Final = 300_000


def armed(place: Path) -> RepositoryFolder:
    """Make a repository with honest tools, and files that nobody has ticked."""
    files: dict[str, str | bytes] = {
        "tools/strip.sh": f"#!/bin/sh\n# as it is\ntouch {place}/marks/filter\ncat\n",
        ".gitattributes": "*.dat filter=strip\n",
        ".gitignore": ".env\nsecrets/\n",
        "open.txt": "one\nwordopen\n",
        "row.dat": "one\n",
        "id_rsa": f"one\n{SECRETS['id_rsa']}\n",
    }
    (place / "marks").mkdir()
    folder = make_repository(place / "garden", files)
    script = f"#!/bin/sh\n# nothing yet\ntouch {place}/marks/hook\n"
    folder.write("tools/run.sh", script).chmod(0o755)
    folder.commit("tools")
    for path, word in SECRETS.items():
        folder.write(path, f"one\n{word}\n")
    folder.git("config", "core.hooksPath", ".githooks")
    folder.git("config", "filter.strip.clean", "sh tools/strip.sh")
    return folder


@pytest.fixture(scope="module", params=DOORS)
def door(
    request: pytest.FixtureRequest,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    """A door with a repository that is armed before its host knows of it."""
    place = tmp_path_factory.mktemp(f"hostile-{request.param}")
    opened = DOORS[request.param](background, armed(place), host_environment(place / "home"))
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())


@pytest.fixture
def garden(door: Door) -> RepositoryFolder:
    return door.folder


@pytest.fixture(autouse=True)
def _scripted(provider: RunningModelServer, garden: RepositoryFolder) -> Iterator[None]:
    provider.answer_as("scripted-edits")
    yield
    provider.answer_as("")
    garden.git("checkout", "--quiet", "--force", "HEAD", "--", "open.txt", "tools")


async def told(page: Client, request_id: str, *answers: str) -> Mapping[str, object]:
    """Ask for these answers in a conversation of their own; give how the turn ended."""
    await page.call("new_session")
    result = await page.say(request_id, "\n=====\n".join(["Please edit.", *answers]))
    assert "error" not in result, result
    return result


def ran(folder: RepositoryFolder) -> set[str]:
    """Return which programs have run."""
    return {mark.name for mark in (folder.root.parent / "marks").iterdir()}


def forget(folder: RepositoryFolder) -> None:
    for mark in (folder.root.parent / "marks").iterdir():
        mark.unlink()


def protected(result: Mapping[str, object]) -> dict[str, str]:
    """Return the reasons of the edits that wait, by file."""
    rows = objects(result["edit_results"])
    return {str(row["file"]): str(row["protected"]) for row in rows if row["protected"]}


@contract
async def test_an_answer_runs_nothing_by_being_staged(door: Door, garden: RepositoryFolder) -> None:
    forget(garden)
    answer = "\n".join(
        [
            f"tools/run.sh\n🟧🟧🟧 RENAME\n{HOOK}\n🟩🟩🟩 END\n",
            edit(HOOK, "# nothing yet\n", "# mine\n"),
            edit("tools/strip.sh", "# as it is\n", "# mine\n"),
            edit("row.dat", "one\n", "two\n"),
            edit("open.txt", "one\n", "two\n"),
        ]
    )
    async with door.open() as page:
        await page.ready()
        await page.call(
            "set_selected_files", ["open.txt", "row.dat", "tools/run.sh", "tools/strip.sh"]
        )
        result = await told(page, "hostile-hook", answer)
    assert ran(garden) == set()
    waiting = protected(result)
    assert "hooks folder" in waiting[HOOK]
    assert "filter.strip.clean" in waiting["tools/strip.sh"]
    assert not (garden.root / HOOK).exists()
    assert "# as it is" in (garden.root / "tools/strip.sh").read_text()
    assert (garden.root / "open.txt").read_text().startswith("two\n")
    # The trap is real: git itself, told to do the same, runs both.
    (garden.root / ".githooks").mkdir()
    (garden.root / "tools/run.sh").rename(garden.root / HOOK)
    (garden.root / "row.dat").write_text("three\n")
    garden.git("add", "row.dat")
    assert ran(garden) == {"hook", "filter"}
    (garden.root / HOOK).unlink()
    (garden.root / ".githooks").rmdir()


@contract
async def test_an_answer_has_no_file_sent_that_nobody_ticked(
    door: Door, provider: RunningModelServer
) -> None:
    blocks = [edit(path, "onne\n", "two\n") for path in (*SECRETS, "open.txt")]
    before = len(provider.bodies())
    async with door.open() as page:
        await page.ready()
        await page.call("set_selected_files", [])
        result = await told(page, "hostile-read", "\n".join(blocks), "Nothing more.")
        selected = await page.call("get_selected_files")
    bodies = [json.dumps(body, ensure_ascii=False) for body in provider.bodies()[before:]]
    assert len(bodies) == 2
    assert not [path for path, word in SECRETS.items() if any(word in body for body in bodies)]
    assert selected == ["open.txt"]
    # What may be sent was, and was announced.
    assert "wordopen" in bodies[-1]
    assert any("open.txt" in notice for notice in _strings(result["notices"]))


@contract
async def test_blocks_without_measure_leave_the_panel_open(
    door: Door, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-repeat")
    async with door.open() as page:
        await page.ready()
        result = await told(page, "hostile-blocks", f"{8 * MAX_BLOCKS} 🟧🟧🟧 EDIT\\n")
        assert len(objects(result["edit_results"])) <= MOST_ROWS
        assert any("edit blocks" in notice for notice in _strings(result["notices"]))
        session_id = (await page.ask("get_current_state"))["session_id"]
    await _require_opening(door, str(session_id))


@contract
async def test_answers_of_one_long_run_end_and_are_counted(
    door: Door, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-repeat")
    async with door.open() as page:
        await page.ready()
        for name, unit in LONG.items():
            result = await told(page, f"hostile-{name}", f"{LONG_CHARS} {unit}")
            assert result["response"] == unit * LONG_CHARS, name
            weighed = await page.ask("get_context_breakdown", None, "And then?")
            breakdown = weighed["breakdown"]
            assert isinstance(breakdown, dict)
            # A blank answer is none: nothing of that turn goes out again.
            least = 1 if unit.strip() else 0
            assert least <= int(breakdown["history"]) < 4 * LONG_CHARS, name
        session_id = (await page.ask("get_current_state"))["session_id"]
    await _require_opening(door, str(session_id))


async def _require_opening(door: Door, session_id: str) -> None:
    """A page that comes gets the conversation, and its state is small."""
    async with door.open() as page:
        await page.call("load_session_into_context", session_id)
        state = await page.ask("get_current_state")
        assert state["session_id"] == session_id
        assert len(objects(state["messages"])) == 2
        assert len(json.dumps(state)) < 2 * PAGE_BYTES


def _strings(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(one) for one in value]
