from jupyter_ac.chat.compaction.withholding import due_removal, withhold
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
