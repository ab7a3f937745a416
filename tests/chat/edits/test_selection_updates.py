"""What becomes of a selection by edits: nothing that nobody ticked is added, or sent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.selection_updates import MOST_ADDED
from jupyter_ac.errors import AcError
from jupyter_ac.events import CompactionEvent
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, PromptProgress, Retry
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import EditingModel, EditWorld, edit, editing, result_of, statuses

# Hundreds of git's processes: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow

PLANTED = "planted-secret"
A = "one\ntwo\nthree\n"
GOOD = edit("a.txt", "two\n", "TWO\n")
MISSED = edit("a.txt", "twoo\n", "TWO\n")
IGNORE = ".env\nsecrets/\n*.log\n"
SECRET = f"line\n{PLANTED}\n"
KEY = f"{PLANTED} sk-proj-" + "a1b2" * 6 + "\n"


def delete(path: str) -> str:
    return f"{path}\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"


def rename(old: str, new: str) -> str:
    return f"{old}\n🟧🟧🟧 RENAME\n{new}\n🟩🟩🟩 END\n"


def plant(world: EditWorld, path: str, text: str = SECRET) -> None:
    """Write a file that git doesn't track."""
    world.folder.write(path, text)


def link(world: EditWorld, path: str, target: str) -> None:
    """Make a link that git tracks."""
    place = world.folder.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    world.folder.git("add", "--force", path)


def sent(world: EditWorld) -> str:
    """Everything that went to the model."""
    return json.dumps([list(request.messages) for request in world.model.requests])


def closed_link(world: EditWorld) -> None:
    plant(world, ".env")
    link(world, "to_env", ".env")


def closed_folder(world: EditWorld) -> None:
    plant(world, "secrets/p.json")
    link(world, "vault", "secrets")


CLOSED: dict[str, tuple[str, Callable[[EditWorld], None]]] = {
    ".env": ("git ignores it", lambda world: plant(world, ".env")),
    "secrets/prod.json": ("git ignores it", lambda world: plant(world, "secrets/prod.json")),
    "new.txt": ("git does not track it", lambda world: plant(world, "new.txt")),
    "id_rsa": ("a private SSH key", lambda _: None),
    "keys.py": ("a language model's API key", lambda _: None),
    "to_env": ("git ignores it", closed_link),
    "vault/p.json": ("git ignores it", closed_folder),
}
FILES: dict[str, str | bytes] = {"a.txt": A, ".gitignore": IGNORE, "id_rsa": SECRET, "keys.py": KEY}


@pytest.mark.parametrize("path", list(CLOSED))
async def test_an_answer_has_no_closed_file_sent(tmp_path: Path, path: str) -> None:
    blocks = [
        edit(path, "line\n", "LINE\n"),
        edit(path, "", "mine\n"),
        delete(path),
        rename(path, "notes.md"),
    ]
    reason, prepare = CLOSED[path]
    async with editing(tmp_path, FILES) as world:
        prepare(world)
        before = (world.folder.root / path).read_bytes()
        conversation = await world.conversation("a.txt")
        answer = MISSED + "".join(blocks)
        result = await world.ask(conversation, answer, GOOD + "".join(blocks))
        assert len(world.model.requests) == 2
        assert (
            statuses(result)
            == ["failed", *["not_in_context"] * 4, "applied"] + ["not_in_context"] * 4
        )
        for row in result["edit_results"][6:]:
            assert row["withheld"]
            assert reason in row["message"]
            assert "Tick it and ask again" in row["message"]
            assert row["near"] is None
        assert result["files_auto_added"] == []
        assert path not in result["retry_prompt"]
        assert conversation.selection == ("a.txt",)
        await world.ask(conversation, "Nothing.", number=2)
        assert PLANTED not in sent(world)
        assert (world.folder.root / path).read_bytes() == before
        # What the request for another try says, beside the answer itself.
        assert path not in str(world.model.requests[1].messages[-1]["content"])


@pytest.mark.parametrize("path", list(CLOSED))
async def test_a_closed_file_alone_is_not_asked_for_again(tmp_path: Path, path: str) -> None:
    async with editing(tmp_path, FILES) as world:
        CLOSED[path][1](world)
        conversation = await world.conversation()
        result = await world.ask(conversation, edit(path, "line\n", "LINE\n"))
        assert len(world.model.requests) == 1
        assert (statuses(result), result["retry_prompt"]) == (["not_in_context"], "")


PROBES = [
    edit(".env", "line\n", "x\n"),
    edit(".env", "", SECRET),
    edit(".env", "", "guess\n"),
    delete(".env"),
    rename(".env", "n.md"),
    edit(".env/x", "line\n", "x\n"),
]


@pytest.mark.parametrize("probe", PROBES)
async def test_the_model_is_not_told_whether_there_is_a_closed_file(
    tmp_path: Path, probe: str
) -> None:
    told = []
    for there in (True, False):
        async with editing(tmp_path / str(there), FILES) as world:
            if there:
                plant(world, ".env")
            conversation = await world.conversation("a.txt", ".gitignore")
            missed = edit(".gitignore", "nothing\n", "x\n")
            await world.ask(conversation, probe + missed, "Sorry.")
            told.append(world.model.requests[1].messages[-1])
    assert told[0] == told[1]


async def test_what_an_answer_edits_and_git_tracks_is_announced_before_it_is_sent(
    tmp_path: Path,
) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": A}) as world:
        conversation = await world.conversation()
        told_before: list[list[str]] = []

        class Watched(EditingModel):
            async def complete(
                self,
                request: CompletionRequest,
                on_text: Callable[[str], None],
                on_progress: Callable[[PromptProgress | Retry], None] | None = None,
                on_reasoning: Callable[[str], None] | None = None,
            ) -> CompletedAnswer:
                events = [one for one in follower.told if isinstance(one, CompactionEvent)]
                told_before.append([one.event["message"] for one in events])
                return await EditingModel.complete(
                    self, request, on_text, on_progress, on_reasoning
                )

        world.model.__class__ = Watched
        both = GOOD + edit("b.txt", "two\n", "TWO\n")
        follower = world.start(conversation, both, both)
        result = await result_of(follower)
        said = "Added to the context and sent: a.txt, b.txt (the answer edits them)."
        assert said not in told_before[0]
        assert said in told_before[1]
        assert said in result["notices"]
        assert result["files_auto_added"] == ["a.txt", "b.txt"]
        assert world.text("b.txt") == "one\nTWO\nthree\n"


async def test_what_no_retry_has_sent_is_announced_for_the_next_question(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        world.settings = EditSettings(retries=0)
        conversation = await world.conversation()
        result = await world.ask(conversation, GOOD)
        assert "Added to the context: a.txt (the answer edits it); sent with your next" in str(
            result["notices"]
        )
        assert conversation.selection == ("a.txt",)


async def test_no_more_than_some_files_are_added_in_a_turn(tmp_path: Path) -> None:
    names = [f"f{n:02}.txt" for n in range(MOST_ADDED + 2)]
    async with editing(tmp_path, dict.fromkeys(names, A)) as world:
        conversation = await world.conversation()
        blocks = "".join(edit(name, "two\n", "TWO\n") for name in names)
        result = await world.ask(conversation, blocks, blocks)
        assert result["files_auto_added"] == names[:MOST_ADDED]
        assert world.text(names[-1]) == A
        assert f"more than {MOST_ADDED}" in result["edit_results"][-1]["message"]


async def test_what_an_answer_creates_is_ticked_unless_its_name_is_closed(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, ".gitignore": IGNORE}) as world:
        conversation = await world.conversation()
        names = ("n.txt", "x.log", "server.pem", "secrets/s.txt")
        result = await world.ask(conversation, "".join(edit(name, "", "x\n") for name in names))
        assert statuses(result) == ["applied"] * 4
        assert conversation.selection == ("n.txt",)
        assert [notice.partition(";")[0] for notice in result["notices"]] == [
            "Not ticked: x.log",
            "Not ticked: server.pem",
            "Not ticked: secrets/s.txt",
        ]


async def test_a_new_name_is_ticked_only_when_the_old_one_was(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.txt": A, "id_rsa": SECRET, "b.txt": A}
    async with editing(tmp_path, files) as world:
        world.settings = EditSettings(review=True)
        conversation = await world.conversation("id_rsa", "a.txt", "b.txt")
        answer = rename("id_rsa", "notes.md") + rename("a.txt", "c.txt") + rename("b.txt", "d.txt")
        await world.ask(conversation, answer)
        await world.book.select(conversation, ["a.txt"])
        await world.decider.accept(conversation, "r1", ())
        assert (world.folder.root / "notes.md").exists()
        assert conversation.selection == ("c.txt",)


async def test_a_renamed_link_that_leads_elsewhere_is_not_ticked(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"sub/cfg": "shown\n", ".gitignore": "/cfg\n"}
    async with editing(tmp_path, files) as world:
        plant(world, "cfg")
        link(world, "sub/l", "cfg")
        conversation = await world.conversation("sub/l")
        result = await world.ask(conversation, rename("sub/l", "l"))
        assert statuses(result) == ["applied"]
        assert conversation.selection == ()


async def test_a_folder_that_takes_the_place_of_a_ticked_one_is_not_read(tmp_path: Path) -> None:
    async with editing(tmp_path, {"docs/a.md": A, ".gitignore": IGNORE}) as world:
        plant(world, "secrets/a.md")
        link(world, "vault", "secrets")
        conversation = await world.conversation("docs/a.md")
        result = await world.ask(conversation, delete("docs/a.md") + rename("vault", "docs"))
        assert statuses(result) == ["applied"] * 2
        assert conversation.selection == ()
        await world.ask(conversation, "Hm.", number=2)
        assert PLANTED not in sent(world)


async def test_undo_lets_no_path_mean_another_file_than_was_ticked(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, ".gitignore": IGNORE}) as world:
        plant(world, "secrets/a.md")
        link(world, "docs", "secrets")
        world.folder.commit("link")
        conversation = await world.conversation()
        result = await world.ask(conversation, delete("docs") + edit("docs/a.md", "", "own\n"))
        assert statuses(result) == ["applied"] * 2
        assert conversation.selection == ("docs/a.md",)
        await world.undo(conversation)
        assert (world.folder.root / "docs").is_symlink()
        assert list(conversation.selection) == []


async def test_undo_ticks_only_what_was_ticked_and_not_unticked_since(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{name}.txt": A for name in "abcd"}
    async with editing(tmp_path, files) as world:
        conversation = await world.conversation("a.txt", "b.txt", "c.txt", "d.txt")
        world.settings = EditSettings(review=True)
        answer = delete("a.txt") + delete("b.txt") + rename("c.txt", "e.txt")
        answer += rename("d.txt", "f.txt")
        await world.ask(conversation, answer)
        await world.book.select(conversation, ["a.txt", "c.txt", "d.txt"])
        await world.decider.accept(conversation, "r1", ())
        assert set(conversation.selection) == {"e.txt", "f.txt"}
        await world.book.select(conversation, ["f.txt"])
        await world.undo(conversation)
        assert set(conversation.selection) == {"a.txt", "d.txt"}


async def test_a_secret_that_comes_back_is_not_ticked_again(tmp_path: Path) -> None:
    async with editing(tmp_path, {"id_rsa": SECRET}) as world:
        conversation = await world.conversation("id_rsa")
        result = await world.ask(conversation, delete("id_rsa"))
        assert statuses(result) == ["applied"]
        await world.undo(conversation)
        assert world.text("id_rsa") == SECRET
        assert conversation.selection == ()


async def test_a_file_that_only_the_user_ticks_is_edited_then(tmp_path: Path) -> None:
    async with editing(tmp_path, FILES) as world:
        plant(world, "secrets/prod.json")
        conversation = await world.conversation("secrets/prod.json")
        result = await world.ask(conversation, edit("secrets/prod.json", "line\n", "LINE\n"))
        assert statuses(result) == ["applied"]
        assert conversation.selection == ("secrets/prod.json",)
        with pytest.raises(AcError):
            await world.decider.accept(conversation, "r1", ())


async def test_a_file_ticked_by_another_name_is_in_context(tmp_path: Path) -> None:
    async with editing(tmp_path, {"src/a.txt": A}) as world:
        link(world, "here", "src")
        conversation = await world.conversation("here/a.txt")
        result = await world.ask(conversation, rename("here/a.txt", "src/b.txt"))
        assert statuses(result) == ["applied"]
        assert conversation.selection == (RepoPath("src/b.txt"),)
