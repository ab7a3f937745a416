"""Nothing leaves that wasn't ticked, named or accepted, whatever an answer says.

Each file holds a word of its own. Answers of all kinds are given, what a person may do next is
done, and the words are looked for in every request that the provider has recorded.
"""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.chat.edited import edit
from tests.support.examples import examples
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.pages import EVENTS, Page, ready_page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WAIT_S = 90.0
HEARD: Final = (*EVENTS, "filesModified", "editsChanged", "commitResult", "settingsChanged")
KEY: Final = "sk-proj-" + "a1b2" * 6

TICKED: Final = "ticked.txt"
TRACKED: Final = {
    "src/plain.py": "wordplain",
    "docs/guide.md": "wordguide",
    "sub/deep.txt": "worddeep",
}
"""They may be sent once an answer edits them, and then it is said."""

SECRET: Final = {
    "id_rsa": "wordsshkey",
    "deploy/prod.env": "wordprodenv",
    "keys.py": "wordkeysfile",
    "deploy/.env.md": "worddotmd",
}
"""Tracked, and named by the warnings."""

IGNORED: Final = {
    ".env": "worddotenv",
    "secrets/prod.json": "wordprodjson",
    "run.log": "wordrunlog",
}
UNTRACKED: Final = {
    "private.txt": "wordprivate",
    "draft/new.py": "worddraft",
    "promised.txt": "wordpromised",
    "diary.md": "worddiary",
}
OVERLOOKED: Final = {"local.cfg": "wordlocal"}
LINKS: Final = {
    "to_env": ".env",
    "vault": "secrets",
    "to_private": "private.txt",
    "sub/up": "../id_rsa",
    "loose": "private.txt",
}
CLOSED: Final = {**SECRET, **IGNORED, **UNTRACKED, **OVERLOOKED}
PATHS: Final = [
    *(TICKED, *TRACKED, *CLOSED, *LINKS),
    *("vault/prod.json", "./.env", "secrets//prod.json", "SECRETS/prod.json", ".ENV"),
    *(
        "sub/../.env",
        ".git/config",
        "none.txt",
        "made.txt",
        "ticked.txt/x",
        "secrets",
        "secrets/none",
    ),
]


def text_of(path: str, word: str) -> str:
    """A file with the word in its middle, and lines that an answer can match, nearly or wholly."""
    lines = ["first line", "same", f"value {word} = {word}", "same", "last line"]
    if path.endswith(".md"):
        lines = ["# Head", "", f"Of {word} and {word}.", "", "## More", "", f"The {word} again."]
    if path.endswith(".py"):
        lines = ["def first(line):", f"    return '{word}'", "", "# last line"]
    if path == "keys.py":
        lines.insert(0, f"key = '{KEY}'")
    return "\n".join(lines) + "\n"


@dataclass
class Host:
    """A host with its repository, put back before each example."""

    folder: RepositoryFolder
    serve: ServeProcess
    model: RunningModelServer
    config: Path
    base: str

    def page(self) -> AbstractAsyncContextManager[Page]:
        return ready_page(self.serve.address, HEARD)

    def put_back(self) -> None:
        """Make every file and the index what they were."""
        folder = self.folder
        folder.git("update-index", "--no-skip-worktree", "local.cfg", ok=(0, 128))
        folder.git("reset", "--quiet", "--hard", self.base)
        folder.git("clean", "-ffdxq")
        for path, word in {**IGNORED, **UNTRACKED}.items():
            folder.write(path, text_of(path, word))
        (folder.root / "loose").symlink_to(LINKS["loose"])
        folder.git("add", "--intent-to-add", "promised.txt")
        folder.write("local.cfg", text_of("local.cfg", OVERLOOKED["local.cfg"]))
        folder.git("update-index", "--skip-worktree", "local.cfg")


def build(root: Path) -> tuple[RepositoryFolder, str]:
    """Make the repository; what git does not track comes with `put_back`."""
    tracked = {**TRACKED, **SECRET}
    files: dict[str, str | bytes] = {path: text_of(path, word) for path, word in tracked.items()}
    files |= {TICKED: "first line\nsame\nsame\nlast line\n", "local.cfg": "harmless\n"}
    files[".gitignore"] = ".env\nsecrets/\n*.log\n"
    folder = make_repository(root, files)
    for path, target in LINKS.items():
        if path != "loose":
            (folder.root / path).symlink_to(target)
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    return folder, folder.commit("links")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    place = tmp_path_factory.mktemp("outflow")
    folder, base = build(place / "garden")
    with running_model_server(place / "requests") as model:
        environment = plain_environment(
            place / "home",
            OPENAI_API_KEY="sk-scripted-0123456789",
            ANTHROPIC_API_KEY="sk-ant-scripted-0123456789",
        )
        with serving(folder.root, environment) as serve:
            config = Path(environment["JUPYTER_AC_CONFIG_DIR"])
            yield Host(folder, serve, model, config, base)


@dataclass(frozen=True)
class Plan:
    """What happens in one example.

    Attributes:
        answers: one after another, as the turn asks again.
        retries: how often it may.
        review: edits wait for the person.
        ticked: the paths that the person ticks first.
        then: what the person does next, in order.
        wire: the format of the requests.
    """

    answers: tuple[str, ...]
    retries: int = 1
    review: bool = False
    ticked: tuple[str, ...] = (TICKED,)
    then: tuple[str, ...] = ()
    wire: str = "openai"


@dataclass
class Seen:
    """What was allowed to leave so far."""

    words: set[str] = field(default_factory=set)


OLD = st.sampled_from(["", "first line\n", "first lime\n", "same\n", "no such line\n", "# Head\n"])
NEW = st.sampled_from(["", "FIRST\n", "same\nsame\n", "first line\n"])


@st.composite
def blocks(draw: st.DrawFn) -> str:
    path = draw(st.sampled_from(PATHS))
    kind = draw(st.sampled_from(["edit", "edit", "edit", "delete", "rename"]))
    if kind == "delete":
        return f"{path}\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"
    if kind == "rename":
        new = draw(st.sampled_from(["notes.md", "docs2", "secrets", "sub/l", *PATHS]))
        return f"{path}\n🟧🟧🟧 RENAME\n{new}\n🟩🟩🟩 END\n"
    block = edit(path, draw(OLD), draw(NEW))
    return block if draw(st.integers(0, 9)) else block.replace("🟩🟩🟩 END\n", "")


ANSWERS = st.lists(
    st.lists(blocks(), min_size=1, max_size=4).map("\n".join), min_size=1, max_size=3
)
STEPS = st.sampled_from(
    ["ask", "ask", "edit", "accept", "reject", "undo", "commit", "compact", "doc", "state", "new"]
)
PLANS = st.builds(
    Plan,
    answers=ANSWERS.map(tuple),
    retries=st.integers(0, 2),
    review=st.booleans(),
    ticked=st.sampled_from([(), (TICKED,), (TICKED, "docs/guide.md"), (TICKED, ".env")]),
    then=st.lists(STEPS, max_size=4).map(tuple),
    wire=st.sampled_from(["openai", "anthropic"]),
)

EVERY = "\n".join(edit(path, "first lime\n", "x\n") for path in PATHS)
WORST = [
    Plan((EVERY, EVERY, EVERY), retries=2, then=("ask", "doc", "ask", "commit")),
    Plan((EVERY,), review=True, then=("accept", "ask", "undo", "ask"), wire="anthropic"),
    Plan(
        ("to_env\n🟧🟧🟧 RENAME\nnotes.md\n🟩🟩🟩 END\nvault\n🟧🟧🟧 RENAME\nsub2\n🟩🟩🟩 END\n",),
        then=("ask", "undo", "ask", "commit"),
    ),
    Plan((EVERY, EVERY), ticked=(TICKED, ".env"), then=("undo", "ask")),
]


async def live(host: Host, plan: Plan) -> None:
    """Go through an example, and look at every request."""
    host.put_back()
    before = len(host.model.bodies())
    edits = {"review": plan.review, "retries": plan.retries}
    base = host.model.openai if plan.wire == "openai" else host.model.anthropic
    llm = {"model": f"{plan.wire}/scripted-edits", "api_base": base}
    host.config.mkdir(parents=True, exist_ok=True)
    (host.config / "app.json").write_text(json.dumps({"edits": edits}))
    (host.config / "llm.json").write_text(json.dumps(llm))
    seen = Seen(words={CLOSED[path] for path in plan.ticked if path in CLOSED})
    async with host.page() as page:
        await page.call("Settings.reload_llm_config")
        await page.call("Settings.reload_app_config")
        await page.call("LLMService.new_session")
        await page.call("LLMService.switch_mode", "code")
        await page.call("LLMService.set_selected_files", list(plan.ticked))
        told = [await ask(page, *plan.answers)]
        for step in plan.then:
            told += await act(page, step, seen)
    said = "\n".join(told)
    bodies = [json.dumps(body, ensure_ascii=False) for body in host.model.bodies()[before:]]
    assert bodies
    sent = "\n".join(bodies)
    for path, word in CLOSED.items():
        assert word in seen.words or word not in sent, f"{path} has left"
    assert KEY not in sent
    for path, word in TRACKED.items():
        is_said = path in said or path in plan.ticked
        assert is_said or word not in sent, f"{path} has left unsaid"


async def act(page: Page, step: str, seen: Seen) -> list[str]:
    """Do what a person may do next; return what was said of files that were added."""
    if step == "ask":
        return [await ask(page, "Nothing.")]
    if step == "edit":
        return [await ask(page, EVERY)]
    if step == "commit":
        await page.call("LLMService.commit_all")
        await page.event("commitResult", WAIT_S)
        # From here on git tracks them: an answer that edits them may have them sent, and says so.
        seen.words |= set(UNTRACKED.values())
        return []
    if step in {"accept", "reject"}:
        pending = cast("list[dict[str, object]]", await page.call("LLMService.list_pending_edits"))
        method = "apply_edits" if step == "accept" else "reject_edits"
        for turn in pending:
            await page.call(f"LLMService.{method}", turn["request_id"])
        return []
    if step == "doc":
        await page.call("LLMService.switch_mode", "doc")
        return [await ask(page, "Nothing.")]
    await page.call(f"LLMService.{METHODS[step]}")
    return []


METHODS: Final = {
    "undo": "undo_last_edits",
    "compact": "compact_now",
    "state": "get_context_breakdown",
    "new": "new_session",
}


async def ask(page: Page, *answers: str) -> str:
    """Ask for these answers; return the notices of the turn."""
    request_id = os.urandom(6).hex()
    question = "\n=====\n".join(["Please edit.", *answers])
    started = await page.call("LLMService.chat_streaming", request_id, question)
    assert started == {"status": "started"}
    while (ended := await page.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    result = cast("dict[str, object]", ended[1])
    assert "error" not in result, result
    notices = cast("list[str]", result.get("notices", []))
    return "\n".join(notice for notice in notices if notice.startswith("Added to the context"))


def with_the_worst(test: Callable[[Host, Plan], None]) -> Callable[[Host, Plan], None]:
    """Try the examples that are known to be hard first."""
    for plan in WORST:
        test = example(plan=plan)(test)
    return test


@settings(max_examples=examples(12))
@given(plan=PLANS)
@with_the_worst
def test_nothing_leaves_that_was_not_ticked_named_or_accepted(host: Host, plan: Plan) -> None:
    asyncio.run(live(host, plan))


@pytest.mark.soak
@settings(max_examples=examples(400))
@given(plan=PLANS)
def test_nothing_leaves_for_long(host: Host, plan: Plan) -> None:
    asyncio.run(live(host, plan))
