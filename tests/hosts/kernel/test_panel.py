"""The widget in a real kernel, driven over its comm as a page would."""

import asyncio
import json
import os
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.hosts.assets import Build
from jupyter_ac.hosts.kernel.panel import (
    MAX_SELECTED,
    STATUSES,
    PageState,
    Panel,
    chunk_message,
    error_message,
    opened_message,
    read_state,
    repository_message,
    resolve_folder,
    surroundings_message,
    ui_message,
)
from jupyter_ac.hosts.nearby_repositories import RepositoryChoices
from tests.support.kernels import WIDGET_VIEW, Kernel, printed, running_kernel, shown

BUSY_CELL = "import time; time.sleep(3600)"


async def show_panel(kernel: Kernel) -> str:
    (bundle,) = shown(await kernel.run("import jupyter_ac; panel = jupyter_ac.Panel(); panel"))
    model_id: str = bundle[WIDGET_VIEW]["model_id"]
    return model_id


def repository_in(folder: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", folder], check=True, timeout=30)
    return folder


async def test_it_answers_hello_with_its_folder_and_the_nonce_it_left(tmp_path: Path) -> None:
    folder = repository_in(tmp_path / "repo") / "inner"
    folder.mkdir()
    async with running_kernel(folder) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, {"type": "hello"})
        hello = await kernel.custom(model_id, "hello")
    assert hello["directory"] == os.path.realpath(folder)
    assert hello["root"] == os.path.realpath(folder.parent)
    assert isinstance(hello["nonce"], str)
    assert int(hello["nonce"], 16)
    assert hello["status"] == "starting"
    versions = hello["versions"]
    assert isinstance(versions, dict)
    assert set(versions) == {"jupyter_ac", "python", "ipykernel", "hash"}


async def test_what_is_attached_goes_to_the_page_that_shows_the_panel(tmp_path: Path) -> None:
    async with running_kernel(repository_in(tmp_path)) as kernel:
        model_id = await show_panel(kernel)
        await kernel.run("rates = [0.25, 0.5]; panel.attach(rates)")
        kernel.send_custom(
            model_id, {"type": "state", "selected_files": [], "busy": False, "status": "ready"}
        )
        first = await kernel.custom(model_id, "attach")
        kernel.client.execute("panel.attach('a text', name='the log')")
        second = await kernel.custom(model_id, "attach")
        refused = printed(await kernel.run("panel.attach(rates, name='')"))
        nothing = printed(await kernel.run("print(panel.attach(rates))"))
    item = first["item"]
    assert isinstance(item, dict)
    assert (item["kind"], item["name"]) == ("variable", "rates")
    assert "[0.25, 0.5]" in item["text"]
    assert second["item"] == {**item, "name": "the log", "text": "a text"}
    assert "name must be a text of 1 to 200 characters" in refused
    assert nothing == "None\n"


async def test_a_folder_becomes_a_repository_under_an_open_panel(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, {"type": "hello"})
        before = await kernel.custom(model_id, "hello")
        repository_in(tmp_path)
        kernel.send_custom(model_id, {"type": "hello"})
        after = await kernel.custom(model_id, "hello")
    assert (before["root"], before["nonce"]) == (None, None)
    assert after["root"] == before["directory"] == os.path.realpath(tmp_path)


async def test_a_page_is_asked_for_the_folder_before_it_becomes_a_repository(
    tmp_path: Path,
) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, {"type": "repository"})
        refused = await kernel.custom(model_id, "error")
        assert not (tmp_path / ".git").exists()
        kernel.send_custom(model_id, {"type": "surroundings"})
        around = await kernel.custom(model_id, "surroundings")
        kernel.send_custom(model_id, {"type": "repository", "confirm": around["folder"]})
        made = await kernel.custom(model_id, "repository")
    assert repr(os.path.realpath(tmp_path)) in str(refused["message"])
    assert (around["folder"], around["refusal"]) == (os.path.realpath(tmp_path), "")
    assert made["name"] == tmp_path.name
    assert (tmp_path / ".git").is_dir()


async def test_a_page_opens_a_repository_near_the_folder_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    garden = repository_in(folder / "group/garden")
    far = repository_in(tmp_path / "far")
    async with running_kernel(folder) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, {"type": "open", "folder": str(far)})
        refused = await kernel.custom(model_id, "error")
        kernel.send_custom(model_id, {"type": "surroundings"})
        around = await kernel.custom(model_id, "surroundings")
        kernel.send_custom(model_id, {"type": "open", "folder": os.path.realpath(garden)})
        opened = await kernel.custom(model_id, "open")
        kernel.send_custom(model_id, {"type": "hello"})
        hello = await kernel.custom(model_id, "hello")
    assert "look again" in str(refused["message"])
    assert around["below"] == [{"path": os.path.realpath(garden), "name": "group/garden"}]
    assert opened["folder"] == hello["directory"] == hello["root"] == os.path.realpath(garden)
    assert hello["nonce"]


async def test_what_the_page_reports_is_seen_in_python(tmp_path: Path) -> None:
    state = {"type": "state", "selected_files": ["a.py"], "busy": True, "status": "streaming"}
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, state)
        await kernel.until(lambda message: "streaming" in json.dumps(message["content"]))
        seen = printed(await kernel.run("print(panel.selected_files, panel.busy, panel.status)"))
    assert seen == "['a.py'] True streaming\n"


async def test_a_wrong_state_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, {"type": "state", "selected_files": 1})
        error = await kernel.custom(model_id, "error")
        kernel.send_custom(model_id, {"type": "something newer"})
        seen = printed(await kernel.run("print(panel)"))
    assert "selected_files" in str(error["message"])
    assert seen == f"<jupyter_ac.Panel on {tmp_path.name!r}, starting>\n"


async def test_what_is_assigned_in_python_is_ticked_on_the_pages(tmp_path: Path) -> None:
    state = {"type": "state", "selected_files": ["a.py"], "busy": False, "status": "ready"}
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, state)
        await kernel.until(lambda message: "ready" in json.dumps(message["content"]))
        kernel.client.execute("panel.selected_files = [*panel.selected_files, 'b.py']")
        ticked = await kernel.custom(model_id, "select")
    assert ticked["files"] == ["a.py", "b.py"]


async def test_every_assignment_is_ticked_whatever_the_page_has_reported(tmp_path: Path) -> None:
    state = {"type": "state", "selected_files": ["a.py"], "busy": False, "status": "ready"}
    async with running_kernel(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        kernel.send_custom(model_id, state)
        await kernel.until(lambda message: "ready" in json.dumps(message["content"]))
        kernel.client.execute(
            "panel.selected_files = ['b.py']; panel.selected_files = [*panel.selected_files]\n"
            "panel.selected_files = ['a.py']"
        )
        ticked = [(await kernel.custom(model_id, "select"))["files"] for _ in range(2)]
    assert ticked == [["b.py"], ["a.py"]]


OBSERVED = """
selected = []
panel._asking.select = selected.append
state = {"busy": False, "status": "ready"}
mirror = lambda *files: panel._jobs.submit(
    panel._mirror, state | {"selected_files": [*files]}
).result()
mirror("a.py"), mirror("a.py"), mirror("b.py")
print(panel.selected_files, selected)
only_python = lambda change: setattr(
    panel, "selected_files", [file for file in change.new if file.endswith(".py")]
)
panel.observe(only_python, "selected_files")
mirror("a.py", "notes.md")
print(panel.selected_files, selected)
panel.selected_files = ["b.py"]
print(selected)
"""


async def test_a_report_is_not_sent_back_but_what_an_observer_makes_of_it_is(
    tmp_path: Path,
) -> None:
    async with running_kernel(tmp_path) as kernel:
        await show_panel(kernel)
        seen = printed(await kernel.run(OBSERVED))
    assert seen.splitlines() == [
        "['b.py'] []",
        "['a.py'] [['a.py']]",
        "[['a.py'], ['b.py']]",
    ]


async def test_on_a_subshell_it_answers_while_a_cell_runs(tmp_path: Path) -> None:
    async with running_kernel(repository_in(tmp_path)) as kernel:
        model_id = await show_panel(kernel)
        subshell = await kernel.subshell()
        kernel.client.execute(BUSY_CELL)
        await kernel.until(lambda message: message["msg_type"] == "execute_input")
        kernel.send_custom(model_id, {"type": "hello"}, subshell)
        hello = await kernel.custom(model_id, "hello")
    assert hello["root"] == os.path.realpath(tmp_path)


async def test_many_pages_may_speak_at_once(tmp_path: Path) -> None:
    async with running_kernel(repository_in(tmp_path)) as kernel:
        model_id = await show_panel(kernel)
        for _ in range(20):
            kernel.send_custom(model_id, {"type": "hello"})
        async with asyncio.timeout(30):
            answers = [await kernel.custom(model_id, "hello") for _ in range(20)]
    assert all(answer["root"] == os.path.realpath(tmp_path) for answer in answers)


async def test_neither_traits_nor_output_name_the_folder_s_path(tmp_path: Path) -> None:
    async with running_kernel(tmp_path) as kernel:
        published = await kernel.run("import jupyter_ac; jupyter_ac.Panel()")
    opened = [message for message in published if message["msg_type"] == "comm_open"]
    (state,) = [
        message["content"]["data"]["state"]
        for message in opened
        if message["content"]["data"]["state"].get("_model_name") == "AnyModel"
    ]
    assert {"busy", "status"} <= set(state)
    assert str(tmp_path) not in json.dumps([message["content"] for message in published])
    assert len(json.dumps(state)) < 32_000


def test_a_missing_folder_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder"):
        Panel(tmp_path / "missing")


def test_a_folder_is_resolved_without_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    assert resolve_folder(tmp_path / "link") == Path(os.path.realpath(tmp_path / "real"))
    for bad in (tmp_path / "loop", "~no-such-user-here/x", __file__):
        with pytest.raises(NotFound):
            resolve_folder(bad)


@pytest.mark.parametrize("status", STATUSES)
def test_a_whole_state_is_taken_as_it_is(status: str) -> None:
    content = {"selected_files": ["b.py", "a.py"], "busy": True, "status": status}
    assert read_state(content) == PageState(["b.py", "a.py"], busy=True, status=status)


@pytest.mark.parametrize(
    "change",
    [
        {"selected_files": "a.py"},
        {"selected_files": ["a.py", 1]},
        {"selected_files": ["a"] * (MAX_SELECTED + 1)},
        {"busy": 1},
        {"status": "asleep"},
        {"status": None},
    ],
)
def test_a_state_that_is_none_is_refused(change: dict[str, object]) -> None:
    content = {"selected_files": [], "busy": False, "status": "ready"} | change
    with pytest.raises(InvalidParams):
        read_state(content)


def test_messages_to_the_page_carry_their_kind() -> None:
    assert error_message("no") == {"type": "error", "message": "no"}
    assert repository_message("work") == {"type": "repository", "name": "work"}
    assert opened_message(Path("/w/a")) == {"type": "open", "folder": "/w/a"}
    around = RepositoryChoices(Path("/w"), (), (), is_complete=False, refusal="", plain_refusal="")
    assert surroundings_message(around) == {
        "type": "surroundings",
        "folder": "/w",
        "above": [],
        "below": [],
        "complete": False,
        "refusal": "",
        "plain_refusal": "",
    }
    assert ui_message(Build("1a2b3c", "ui-1a2b3c.js", "0.1.0"), "export {}") == {
        "type": "ui",
        "hash": "1a2b3c",
        "source": "export {}",
    }
    assert chunk_message("maths", Build("1a2b3c", "ui-1a2b3c.js", "0.1.0"), "x")["type"] == "maths"
