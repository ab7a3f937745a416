from dataclasses import replace

import pytest

from jupyter_ac.chat.compaction.retained_files import is_about_right, useful_beginning
from jupyter_ac.chat.last_request import OTHER_LIFE_MS
from jupyter_ac.chat.ports import MapText
from jupyter_ac.chat.prompt.blocks import Block, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.prompt.maps import map_blocks
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.ids import RepoPath
from jupyter_ac.settings.app import AppSettings
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import open_world

A, B = RepoPath("a.py"), RepoPath("b.py")
LONG = "".join(f"line {number}\n" for number in range(200))
QUESTIONS = [f"{number}. What does each of these lines say?" for number in range(7)]
MAP = MapText("".join(f"src/{number}.py name_{number}\n" for number in range(40)))


def entry(*sent: Block) -> CompactedEntry:
    return CompactedEntry("t", Exchange((*sent, question_block("q")), answer_block("a")))


def test_files_that_the_log_begins_with_stay_while_they_are_mostly_of_use() -> None:
    first = entry(file_block(A, "1" * 300), file_block(B, "2" * 200))
    assert useful_beginning([first], {A, B}) == (A, B)
    assert useful_beginning([first], {A}) == (A, B)
    assert useful_beginning([first], {B}) == ()
    assert useful_beginning([first, entry(file_block(A, "1" * 299))], {A, B}) == ()
    assert useful_beginning([entry(), first], {A, B}) == ()
    assert useful_beginning([], {A}) == ()


def test_a_map_of_which_a_tenth_has_changed_is_made_anew() -> None:
    head, lines = map_blocks("code", "", MAP.text), MAP.text.splitlines()
    for changed, is_right in ((0, True), (4, True), (5, False), (40, False)):
        fresh = "\n".join([*(f"other {number}" for number in range(changed)), *lines[changed:]])
        assert is_about_right(head, map_blocks("code", "", fresh)) is is_right
    assert is_about_right(head, ())
    assert not is_about_right((), head)


def talking(found: AppSettings | None = None) -> Talk:
    world = open_world({"a.py": LONG, "b.py": LONG.upper(), "c.py": "3\n"})
    world.maps.heads["code"] = MAP
    return Talk(world, found or settings(trigger=90_000))


async def compacted(talk: Talk) -> None:
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()


async def test_a_compaction_leaves_head_and_first_files_byte_for_byte() -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS[:5])
    talk.world.files.texts["a.py"] = LONG.replace("line 7\n", "row 7\n")
    await compacted(talk)
    await talk.say("After?")
    before, after = sent(talk.prompts[0]), sent(talk.prompts[-1])
    assert after[0] == before[0]
    assert after[1][1][:2] == before[1][1][:2]
    assert after[1][1][2].startswith("[Summary")
    news = after[-1][1][0]
    assert news.startswith("a.py\nhas changed")
    assert "+row 7" in news


async def test_a_file_that_stays_and_is_unticked_is_said_to_be() -> None:
    talk = talking()
    talk.select("a.py", "c.py")
    await talk.say(*QUESTIONS[:5])
    talk.select("a.py")
    await compacted(talk)
    await talk.say("After?")
    assert sent(talk.prompts[-1])[-1][1][0] == "c.py is no longer selected.\n"


@pytest.mark.parametrize("why", ["unticked", "cold", "other map"])
async def test_else_head_and_files_go_out_anew(why: str) -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS[:5])
    talk.world.maps.heads["code"] = MapText("another\nmap")
    if why != "other map":
        talk.world.maps.heads["code"] = replace(MAP, text=MAP.text + "one more\n")
    if why == "unticked":
        talk.select("c.py")
    talk.world.later_ms = OTHER_LIFE_MS if why == "cold" else 0
    await compacted(talk)
    await talk.say("After?")
    after = sent(talk.prompts[-1])
    assert after[0] != sent(talk.prompts[0])[0]
    assert [text[:8] for text in after[1][1]] == ["[Summary"]


async def test_the_tiers_show_what_stayed_and_what_is_sent_anew() -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS)
    await compacted(talk)
    found = await context_breakdown(talk.conversation, talk.ports, "After?")
    rows = {tier["tier"]: tier["contents"] for tier in found["blocks"]}
    assert [row["name"] for row in rows["L1"]] == ["a.py", "b.py"]
    assert {row["n"] for row in (*rows["L0"], *rows["L1"])} == {7}
    assert [text.partition(":")[0] for text in found["demotions"]] == [
        "L1 → no longer sent",
        "L2 → no longer sent",
        "L3 → active",
        "L3 → no longer sent",
    ]
