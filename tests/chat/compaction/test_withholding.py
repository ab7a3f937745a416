from jupyter_ac.chat.compaction.withholding import due_removal, withhold
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from tests.chat.compaction.world import Talk, sent
from tests.chat.memory import MemoryFiles, open_world

A, B, C = RepoPath("a.py"), RepoPath("b.py"), RepoPath("c.py")


def exclude(talk: Talk, *paths: RepoPath) -> None:
    files = talk.ports.files
    assert isinstance(files, MemoryFiles)
    files.not_sent = ExcludedPaths(paths)


async def two_files() -> Talk:
    talk = Talk(open_world({"a.py": "1\n" * 40, "b.py": "2\n" * 40}))
    talk.select("a.py", "b.py")
    await talk.say("One?")
    talk.select("b.py")
    return talk


def last_texts(talk: Talk) -> list[str]:
    return [text for _, parts in sent(talk.prompts[-1]) for text in parts]


async def test_a_question_takes_out_what_was_sent_of_a_file_and_keeps_that() -> None:
    talk = await two_files()
    exclude(talk, A)
    await talk.say("Two?")
    assert not any(text.startswith("a.py\n") for text in last_texts(talk))
    assert sum(text.startswith("b.py\n") for text in last_texts(talk)) == 1
    removals = talk.conversation.session.log.removals
    assert [(one.case, one.paths) for one in removals] == [("withhold", (A,))]
    await talk.say("Three?")
    assert talk.conversation.session.log.removals == removals


async def test_a_list_that_hides_nothing_new_is_only_noted() -> None:
    talk = await two_files()
    exclude(talk, C)
    await talk.say("Two?")
    exclude(talk)
    await talk.say("Three?")
    session = talk.conversation.session
    assert [(one.case, one.paths) for one in session.log.removals] == [
        ("list", (C,)),
        ("list", ()),
    ]
    assert any(text.startswith("a.py\n") for text in last_texts(talk))
    exclude(talk, A, C)
    due = await due_removal(session, ExcludedPaths((A, C)), talk.ports.files)
    assert due is not None
    assert due.case == "withhold"


async def test_before_a_compaction_it_goes_at_once() -> None:
    talk = await two_files()
    exclude(talk, A)
    session = talk.conversation.session
    await withhold(session, talk.ports)
    assert [one.case for one in session.log.removals] == ["withhold"]
    assert [block.path for block in session.exchanges[0].about_files] == [B]
    await withhold(session, talk.ports)
    assert len(session.log.removals) == 1


async def test_an_empty_session_has_nothing_to_withhold() -> None:
    talk = Talk(open_world({}))
    session, files = talk.conversation.session, talk.ports.files
    assert await due_removal(session, ExcludedPaths((A,)), files) is None


async def test_a_copy_that_was_read_through_a_link_goes_as_well() -> None:
    talk = await two_files()
    files = talk.ports.files
    assert isinstance(files, MemoryFiles)
    files.links = {A: RepoPath("d/e.py")}
    exclude(talk, RepoPath("d"))
    await talk.say("Two?")
    assert not any(text.startswith("a.py\n") for text in last_texts(talk))
    assert any(text.startswith("b.py\n") for text in last_texts(talk))
    removals = talk.conversation.session.log.removals
    assert [(one.case, one.paths, one.links) for one in removals] == [("withhold", ("d",), (A,))]
    files.links = {}
    await talk.say("Three?")
    assert not any(text.startswith("a.py\n") for text in last_texts(talk))
    assert talk.conversation.session.log.removals == removals


async def test_a_file_that_was_included_for_a_while_goes_again() -> None:
    talk = await two_files()
    files = talk.ports.files
    assert isinstance(files, MemoryFiles)
    files.not_sent = ExcludedPaths((C,), since=(1,), number=1)
    await talk.say("Two?")
    talk.select("a.py", "b.py")
    files.not_sent = ExcludedPaths((A,), since=(2,), number=2)
    await talk.say("Three?")
    files.not_sent = ExcludedPaths((C,), since=(1,), number=2)
    await talk.say("Four?")
    assert any(text.startswith("a.py\n") for text in last_texts(talk))
    looked = ExcludedPaths((C, B), since=(1, 3), number=3)
    session = talk.conversation.session
    session.log.remove(Removal("list", session.turns[-1].turn_id, paths=looked.paths, number=3))
    assert await due_removal(session, looked, files) is None
    again = ExcludedPaths((C, B), since=(1, 4), number=4)
    due = await due_removal(session, again, files)
    assert due is not None
    assert (due.case, due.paths, due.number) == ("withhold", (C, B), 4)
    files.not_sent = again
    talk.select("a.py")
    await talk.say("Five?")
    assert not any(text.startswith("b.py\n") for text in last_texts(talk))
    assert await due_removal(session, again, files) is None
    unrelated = ExcludedPaths((C, B), since=(1, 4), number=6)
    assert await due_removal(session, unrelated, files) is None
