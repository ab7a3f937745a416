"""No program of the repository runs, whatever a page calls and whatever a model answers."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.chat.edited import edit
from tests.support.armed_repository import ArmedRepository, arm
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.pages import EVENTS, CallFailedError, Page
from tests.support.pictures import GIF, uri
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving
from tools.api.surface import host_table

WAIT_S = 90.0
HEARD = (*EVENTS, "streamDelta", "editBlocks", "editsChanged", "filesModified", "commitResult")
AT_COMMITS = {
    f"hook-{name}"
    for name in (
        *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"),
        *("post-index-change", "reference-transaction", "pre-auto-gc"),
    )
}

Row = dict[str, object]
Calls = Mapping[str, list[tuple[object, ...]]]

FILTERED, MULTI, PLAIN = "filtered.txt", "multi.bin", "plain.md"
ALL = [FILTERED, MULTI, PLAIN]
NONE: list[tuple[object, ...]] = [()]
EACH: list[tuple[object, ...]] = [(path,) for path in ALL]

# In this order: what reads, what changes, what ends it.
CALLS: Calls = {
    "Repo.list_programs": NONE,
    "Repo.get_commit_hooks": NONE,
    "Repo.file_exists": EACH,
    "Repo.get_commit_graph": NONE,
    "Repo.get_commit_log": [("main", "other")],
    "Repo.get_commit_parent": [("other",)],
    "Repo.get_current_branch": NONE,
    "Repo.get_diff_to_branch": [("other",)],
    "Repo.get_file_base64": EACH,
    "Repo.get_file_content": [*EACH, (FILTERED, "HEAD"), (MULTI, "other")],
    "Repo.get_file_hash": EACH,
    "Repo.get_file_tree": NONE,
    "Repo.get_flat_file_list": NONE,
    "Repo.get_merge_base": [("main", "other")],
    "Repo.get_notebook_language": [("book.ipynb",)],
    "Repo.get_notebook_text": [("book.ipynb",), ("book.ipynb", "HEAD")],
    "Repo.get_review_changed_files": NONE,
    "Repo.get_review_file_diff": EACH,
    "Repo.get_review_state": NONE,
    "Repo.get_staged_diff": NONE,
    "Repo.get_tree_rows": NONE,
    "Repo.get_unstaged_diff": NONE,
    "Repo.is_binary_file": EACH,
    "Repo.is_clean": NONE,
    "Repo.list_all_branches": NONE,
    "Repo.list_branches": NONE,
    "Repo.resolve_ref": [("other",)],
    "Repo.search_commits": [("first",)],
    "Repo.search_files": [("one",), ("o.e", False, True)],
    "Panels.list": NONE,
    "Panels.initialize": [("none", {"protocolVersion": 3})],
    "Panels.updateProps": [("none", {})],
    "Panels.setEnvironment": [("none", {})],
    "Panels.executeHandler": [("none", "a:onClick", [])],
    "Panels.syncTree": [("none",)],
    "Panels.restart": [("none",)],
    "Panels.destroy": [("none",)],
    "Repo.get_activity": NONE,
    # These wait for the user's consent, which nobody gives.
    "Kernel.list_variables": NONE,
    "Kernel.describe_variable": [("x",)],
    "Kernel.get_last_error": NONE,
    "Tests.get_command": NONE,
    "Tests.run": NONE,
    "Tests.collect": NONE,
    "Tests.get_news": NONE,
    "Tests.get_output": NONE,
    "Tests.stop": NONE,
    "LLMService.get_current_state": NONE,
    "LLMService.set_selected_files": [(ALL,)],
    "LLMService.get_selected_files": NONE,
    "LLMService.set_excluded_index_files": [(["none"],), ([],)],
    "LLMService.get_excluded_index_files": NONE,
    "LLMService.save_file_set": [("set", ALL)],
    "LLMService.list_file_sets": NONE,
    "LLMService.rename_file_set": [("set", "other")],
    "LLMService.delete_file_set": [("other",)],
    "LLMService.get_context_breakdown": NONE,
    "LLMService.get_example": NONE,
    "LLMService.complete_inline": [("code.py", "def greet(", ")")],
    "LLMService.play_example": [("none", "say-so")],
    "LLMService.reset_example": NONE,
    "LLMService.get_file_map_block": [("code.py",)],
    "LLMService.get_history_status": NONE,
    "LLMService.get_history_trust": NONE,
    "LLMService.trust_history": NONE,
    "LLMService.get_image": [("none",)],
    "LLMService.get_message_text": [("none", "assistant")],
    "LLMService.get_session_messages": NONE,
    "LLMService.get_mode": NONE,
    "LLMService.get_review_file_diff": EACH,
    "LLMService.get_review_state": NONE,
    "LLMService.get_commit_graph": NONE,
    "LLMService.check_review_ready": NONE,
    "LLMService.detect_urls": [("https://127.0.0.1/",)],
    "LLMService.fetch_url": [("https://127.0.0.1/",)],
    "LLMService.detect_and_fetch": [("https://127.0.0.1/",)],
    "LLMService.get_url_content": [("https://127.0.0.1/",)],
    "LLMService.get_urls": NONE,
    "LLMService.set_excluded_urls": [(["https://127.0.0.1/"],)],
    "LLMService.invalidate_url_cache": [("https://127.0.0.1/",)],
    "LLMService.remove_fetched_url": [("https://127.0.0.1/",)],
    "LLMService.clear_url_cache": NONE,
    "LLMService.get_sent_map": NONE,
    "LLMService.get_snippets": NONE,
    "LLMService.get_spend": NONE,
    "LLMService.get_symbol_tokens": [(ALL,)],
    "LLMService.get_spend_by_day": NONE,
    "LLMService.history_list_sessions": NONE,
    "LLMService.history_get_session": [("none",)],
    "LLMService.history_search": [("one",)],
    "LLMService.rename_session": [("none", "Title")],
    "LLMService.delete_session": [("none",)],
    "LLMService.list_pending_edits": NONE,
    "LLMService.open_conversation": [("",)],
    "LLMService.lsp_get_completions": [("code.py", 1, 3)],
    "LLMService.lsp_get_definition": [("code.py", 1, 5)],
    "LLMService.lsp_get_hover": [("code.py", 1, 5)],
    "LLMService.lsp_get_references": [("code.py", 1, 5)],
    "LLMService.resolve_symbols": [(["greet"],)],
    "LLMService.search_symbols": [("greet",)],
    "LLMService.list_cell_runs": NONE,
    "LLMService.add_context": [({"kind": "cell", "name": "c", "text": "1"},)],
    "LLMService.get_context_items": NONE,
    "LLMService.remove_context": [("none",)],
    "LLMService.restore_cell_secrets": [("book.ipynb", "c", "1")],
    "LLMService.get_notebook_cells": [("book.ipynb",)],
    "LLMService.set_excluded_cells": [("book.ipynb", ["c"])],
    "LLMService.set_shown_outputs": [("book.ipynb", ["c"])],
    "LLMService.save_notebook_edit": [("book.ipynb",)],
    "LLMService.request_cell_run": [("book.ipynb", "none", "1")],
    "LLMService.approve_cell_run": [("none",)],
    "LLMService.refuse_cell_run": [("none",)],
    "LLMService.interrupt_cell_run": [("none",)],
    "LLMService.get_cell_run_image": [("none", 0)],
    "LLMService.put_image": [(uri(GIF),)],
    "LLMService.attach_stream": [("none",)],
    "LLMService.cancel_streaming": [("none",)],
    "LLMService.list_pending_tools": NONE,
    "LLMService.answer_tool": [("none", "none", "refuse")],
    "LLMService.add_to_run": [("none", "one")],
    "LLMService.get_run_diff": [("none",)],
    "LLMService.undo_run": [("none",)],
    "LLMService.apply_edits": [("none",)],
    "LLMService.reject_edits": [("none",)],
    "LLMService.undo_last_edits": NONE,
    "LLMService.undo_edits": [("none",)],
    "LLMService.undo_commit": NONE,
    "LLMService.get_edit_standings": [(["none"],)],
    "LLMService.branch_session": [("none",)],
    "LLMService.get_question_files": [("none",)],
    "LLMService.get_question_versions": NONE,
    "LLMService.list_marked_turns": NONE,
    "LLMService.remove_example": NONE,
    "LLMService.list_commit_candidates": NONE,
    "LLMService.write_commit_message": [("a-message", [MULTI])],
    "LLMService.compact_now": NONE,
    "LLMService.trim_context": NONE,
    "LLMService.exclude_turns": [(["none"],)],
    "LLMService.pin_turns": [(["none"],)],
    "LLMService.switch_mode": [("document",), ("code",)],
    "LLMService.set_cross_reference": [(True,), (False,)],
    "LLMService.set_edits_review": [(True,), (False,)],
    "LLMService.generate_commit_message": [("diff --git a/x b/x\n",)],
    "LLMService.export_session": [("none",)],
    "LLMService.import_history": [("{}",)],
    "LLMService.history_new_session": NONE,
    "LLMService.new_session": NONE,
    "LLMService.load_session_into_context": [("none",)],
    "Repo.write_file": [(path, "changed\n") for path in ALL],
    "Repo.create_file": [("made.txt", "x\n"), ("made.md", "x\n")],
    "Repo.stage_files": [*(([path],) for path in ALL), (["made.txt"],)],
    "Repo.stage_all": NONE,
    "Repo.unstage_files": [([PLAIN],), (ALL,)],
    "Repo.discard_changes": [([FILTERED],), ([PLAIN],), (["made.txt", "made.md"],), (ALL,)],
    "Repo.rename_file": [(FILTERED, "moved.txt"), ("moved.txt", FILTERED), (PLAIN, "moved.bin")],
    "Repo.rename_directory": [("folder", "renamed"), ("renamed", "folder")],
    "Repo.delete_file": [(MULTI,), (FILTERED,)],
    "Repo.delete_directory": [("folder",)],
    "Repo.reset_hard": NONE,
    "Repo.checkout_branch": [("other",), ("plain",), ("main",)],
    "Repo.create_branch": [("made",), ("-bad",)],
    "Repo.checkout_review_parent": [("other",), ("plain",)],
    "Repo.setup_review_soft_reset": [("plain", "main")],
    "Repo.exit_review_mode": NONE,
    "LLMService.end_review": NONE,
    "Repo.forbid_program": [("filter", "evil")],
    "LLMService.start_review": [("plain",)],
}
ELSEWHERE = {
    "Repo.allow_program": "test_one_question_and_the_filter_runs",
    "Repo.commit": "test_a_commit_runs_hooks_and_names_them",
    "LLMService.commit_all": "test_a_commit_runs_hooks_and_names_them",
    "LLMService.commit_files": "test_a_commit_runs_hooks_and_names_them",
    "LLMService.chat_streaming": "test_no_answer_runs_a_program",
}


@dataclass
class Host:
    """A host, its repository, and the model behind it."""

    armed: ArmedRepository
    serve: ServeProcess
    model: RunningModelServer

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Page]:
        """A page with a session of its own."""
        async with page_on(self.serve) as page:
            yield page


@asynccontextmanager
async def page_on(serve: ServeProcess) -> AsyncIterator[Page]:
    """A page of a host."""
    request = HTTPRequest(serve.address, connect_timeout=30)
    page = Page(await websocket_connect(request), HEARD)
    try:
        await page.ready()
        yield page
    finally:
        await page.leave()


def scripted(place: Path, model: RunningModelServer) -> dict[str, str]:
    """The environment of a host whose model answers what it is asked for."""
    return plain_environment(
        place / "home",
        JUPYTER_AC_MODEL="openai/scripted-edits@0.002",
        JUPYTER_AC_API_BASE=model.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    with running_model_server(tmp_path_factory.mktemp("requests")) as running:
        yield running


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, model: RunningModelServer) -> Iterator[Host]:
    place = tmp_path_factory.mktemp("programs")
    armed = arm(place)
    with serving(armed.folder.root, scripted(place, model)) as serve:
        yield Host(armed, serve, model)


async def ask(page: Page, request_id: str, *answers: str) -> Row:
    """Ask for these answers and wait for the end of the turn."""
    question = "\n=====\n".join(["Please edit.", *answers])
    started = await page.call("LLMService.chat_streaming", request_id, question)
    assert started == {"status": "started"}
    while (ended := await page.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    return cast("Row", ended[1])


def results(completion: Row) -> list[Row]:
    return cast("list[Row]", completion["edit_results"])


def test_each_method_is_called() -> None:
    namespaces = ("Repo.", "LLMService.", "Panels.", "Kernel.", "Tests.")
    table = {name for name in host_table() if name.startswith(namespaces)}
    missing = table - CALLS.keys() - ELSEWHERE.keys()
    assert not missing, "say in CALLS how it is called, so that it is shown to run nothing"
    assert not CALLS.keys() - table


async def failure(page: Page, name: str, *arguments: object) -> object:
    """Call a method and return the type of its error; "" for none."""
    try:
        await page.call(name, *arguments, wait_s=WAIT_S)
    except CallFailedError as error:
        return error.kind
    return ""


async def test_no_method_runs_a_program(host: Host) -> None:
    armed = host.armed
    assert armed.ran() == set(), "the start of the host"
    async with host.page() as page:
        for name, calls in CALLS.items():
            for arguments in calls:
                assert await failure(page, name, *arguments) != "internal", (name, arguments)
                assert armed.ran() == set(), (name, arguments)


def create(path: str) -> str:
    return edit(path, "", "made\n")


def delete(path: str) -> str:
    return f"{path}\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"


def rename(path: str, new: str) -> str:
    return f"{path}\n🟧🟧🟧 RENAME\n{new}\n🟩🟩🟩 END\n"


@pytest.mark.parametrize("is_reviewed", [False, True])
async def test_no_answer_runs_a_program(host: Host, *, is_reviewed: bool) -> None:
    armed = host.armed
    for name in ("filtered.txt", "multi.bin", "plain.md"):
        armed.folder.write(name, "one\ntwo\n")
    number = "reviewed" if is_reviewed else "direct"
    async with host.page() as page:
        await page.call("LLMService.set_selected_files", ALL)
        await page.call("LLMService.set_edits_review", is_reviewed)
        answers = (
            edit(FILTERED, "two\n", "2\n")
            + edit(MULTI, "one\n", "1\n")
            + edit(PLAIN, "one\n", "1\n"),
            create(f"{number}.txt") + create(f"{number}.bin") + create(f"{number}.md"),
            rename(PLAIN, f"{number}-moved.txt") + delete(MULTI),
        )
        for at, answer in enumerate(answers):
            request_id = f"{number}-{at}"
            completion = await ask(page, request_id, answer)
            assert armed.ran() == set(), answer
            if is_reviewed:
                assert {row["status"] for row in results(completion)} <= {"pending", "skipped"}
                await page.call("LLMService.reject_edits", request_id, [0])
                await page.call("LLMService.apply_edits", request_id)
            else:
                rows = [row for row in results(completion) if row["filter"]]
                assert all(row["status"] == "applied" for row in rows)
            await page.call("LLMService.undo_last_edits", request_id)
            assert armed.ran() == set(), answer
        await page.call("LLMService.set_edits_review", False)


async def test_a_commit_runs_hooks_and_names_them(host: Host) -> None:
    armed = host.armed
    async with host.page() as page:
        armed.folder.write("committed.md", "new\n")
        await page.call("Repo.stage_files", ["committed.md"])
        assert armed.ran() == set()
        told = cast("Row", await page.call("Repo.get_commit_hooks"))
        assert set(cast("list[str]", told["hooks"])) == {each[5:] for each in AT_COMMITS}
        assert told["folder"] == ".githooks"
        assert armed.ran() == set()
        armed.folder.write(FILTERED, "dirty\n")
        with pytest.raises(CallFailedError, match="the hooks could stage it unfiltered"):
            await page.call("Repo.commit", "a commit")
        assert armed.ran() == set()
        for path in (FILTERED, MULTI):
            (armed.folder.root / path).unlink(missing_ok=True)
        made = cast("Row", await page.call("Repo.commit", "a commit"))
        ran = armed.ran()
        assert {"hook-pre-commit", "hook-commit-msg", "hook-post-commit"} <= ran <= AT_COMMITS
        assert "pre-commit" in cast("list[str]", made["hooks"])
        assert made["hooks_folder"] == ".githooks"
        armed.folder.write("another.md", "new\n")
        started = await page.call("LLMService.commit_all", "all of it")
        assert started == {"status": "started"}
        ended = cast("Row", (await page.event("commitResult", WAIT_S))[0])
        assert "pre-commit" in cast("list[str]", ended.get("hooks")), ended
        assert armed.ran() <= AT_COMMITS
        armed.folder.write("chosen.md", "new\n")
        chosen = cast("Row", await page.call("LLMService.commit_files", ["chosen.md"], "chosen"))
        assert "pre-commit" in cast("list[str]", chosen["hooks"]), chosen
        assert armed.ran() <= AT_COMMITS
        armed.set("commit.gpgSign", "true")
        armed.folder.write("signed.md", "new\n")
        await page.call("Repo.stage_files", ["signed.md"])
        with pytest.raises(CallFailedError, match=r"signing program 'gpg\.program' \(touch"):
            await page.call("Repo.commit", "signed")
        assert armed.ran() == set()


@pytest.fixture(scope="module")
def honest(
    tmp_path_factory: pytest.TempPathFactory, model: RunningModelServer
) -> Iterator[tuple[RepositoryFolder, ServeProcess]]:
    """A repository with hooks and a filter of its own, as honest ones have them."""
    place = tmp_path_factory.mktemp("honest")
    folder = make_repository(
        place / "honest",
        {
            ".gitattributes": "*.nb filter=strip\n",
            "tools/strip.py": "import sys\nsys.stdout.write(sys.stdin.read().upper())\n",
            "tools/run": "#!/bin/sh\necho\n",
            ".githooks/pre-commit": "#!/bin/sh\nexit 0\n",
            "a.nb": "ONE\n",
            "b.nb": "ONE\n",
        },
    )
    (folder.root / "tools/run").chmod(0o755)
    folder.commit("executable")
    folder.git("config", "core.hooksPath", ".githooks")
    folder.git("config", "filter.strip.clean", "python3 tools/strip.py")
    with serving(folder.root, scripted(place, model)) as serve:
        yield folder, serve


async def test_an_answer_that_makes_a_hook_runs_nothing(
    honest: tuple[RepositoryFolder, ServeProcess], tmp_path: Path
) -> None:
    folder, serve = honest
    mark = tmp_path / "mark"
    async with page_on(serve) as page:
        await page.call("LLMService.set_selected_files", ["tools/run"])
        hook = ".githooks/post-index-change"
        answer = rename("tools/run", hook) + edit(hook, "echo\n", f"touch {mark}\n")
        result = await ask(page, "hook-1", answer, answer, answer)
        for row in results(result):
            if row["status"] == "pending":
                await page.call("LLMService.apply_edits", "hook-1", [row["index"]])
        folder.write("c.md", "x\n")
        await page.call("Repo.stage_files", ["c.md"])
        await page.call("LLMService.undo_last_edits", "hook-1")
    assert not mark.exists()


async def test_one_question_and_the_filter_runs(
    honest: tuple[RepositoryFolder, ServeProcess], tmp_path: Path
) -> None:
    folder, serve = honest
    mark = tmp_path / "mark"
    evil = f"open({str(mark)!r}, 'w')\n"
    async with page_on(serve) as page:
        await page.call("LLMService.set_selected_files", ["a.nb", "b.nb", "tools/strip.py"])
        (row,) = results(await ask(page, "filter-1", edit("a.nb", "ONE\n", "two\n")))
        assert row["status"] == "applied"
        assert row["filter"] == "strip"
        (note,) = cast("list[str]", row["notes"])
        assert note.startswith("Applied, not staged: this repository's filter 'strip' ")
        assert note.endswith("(python3 tools/strip.py) isn't allowed")
        assert folder.git("diff", "--cached", "--name-only", "--", "a.nb") == ""
        with pytest.raises(CallFailedError, match=r"'strip' \(python3 tools/strip.py\)") as refused:
            await page.call("Repo.stage_files", ["a.nb"])
        assert refused.value.kind == "conflict"
        programs = cast("list[Row]", await page.call("Repo.list_programs"))
        (strip,) = [each for each in programs if each["name"] == "strip"]
        assert (strip["state"], strip["files"]) == ("not_allowed", ["tools/strip.py"])
        with pytest.raises(CallFailedError) as other:
            await page.call("Repo.allow_program", "filter", "strip", "cat")
        assert other.value.kind == "conflict"
        allowed = await page.call("Repo.allow_program", "filter", "strip", strip["command"])
        assert cast("Row", allowed)["state"] == "allowed"
        await page.call("Repo.stage_files", ["a.nb"])
        assert folder.git("show", ":a.nb") == "TWO"
        (row,) = results(await ask(page, "filter-2", edit("b.nb", "ONE\n", "three\n")))
        assert (row["filter"], row["notes"]) == ("", [])
        assert folder.git("show", ":b.nb") == "THREE"
        answer = edit("tools/strip.py", "import sys\n", f"import sys\n{evil}")
        answer += edit("b.nb", "three\n", "four\n")
        await ask(page, "filter-3", answer, answer)
        await page.call("LLMService.apply_edits", "filter-3", [0])
        folder.write("b.nb", "five\n")
        if "mark" in (folder.root / "tools/strip.py").read_text():
            with pytest.raises(CallFailedError, match="has changed since you allowed it"):
                await page.call("Repo.stage_files", ["b.nb"])
    assert not mark.exists()
