from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.compaction.due import CompactionLimits
from jupyter_ac.chat.last_request import MARKED_LIFE_MS, OTHER_LIFE_MS
from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    note_block,
    question_block,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import ACKNOWLEDGEMENT, CompactedEntry, Removal, shorten
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.ids import RepoPath
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import open_world

A, B = RepoPath("a.py"), RepoPath("b.py")


def entry(turn: str, *about: Block) -> CompactedEntry:
    return CompactedEntry(
        turn, Exchange((*about, question_block(turn)), answer_block(f"to {turn}"))
    )


LOG = [
    entry("1", file_block(A, "1")),
    entry("2", note_block(A, "gone"), file_block(B, "2")),
    entry("3"),
    entry("4", file_block(A, "4")),
]
TURNS = ["1", "2", "3", "4"]


def texts(log: list[CompactedEntry]) -> list[list[str]]:
    return [[block.text for block in one.exchange.sent] for one in log]


def test_a_compaction_keeps_the_newest_talk_behind_a_summary_and_no_files() -> None:
    log = shorten(LOG, TURNS, [Removal("summarize", "3", "3", "They spoke.")])
    assert log[0].exchange.sent[0].category is Category.SUMMARY
    assert "They spoke." in log[0].exchange.sent[0].text
    assert log[0].exchange.answer == ACKNOWLEDGEMENT
    assert texts(log[1:]) == [["3"], [file_block(A, "4").text, "4"]]


STEPS = [entry("5", file_block(B, str(number))) for number in range(4)]
ORDER = [*TURNS, "5", "6"]


def test_in_the_middle_of_a_run_its_question_stays_before_the_steps_that_stay() -> None:
    log = shorten(
        [*LOG, *STEPS, entry("6")], ORDER, [Removal("steps", "5", summary="So.", steps=2)]
    )
    assert log[0].exchange.sent[0].category is Category.SUMMARY
    assert texts(log[1:]) == [["5"], [file_block(B, "3").text, "5"], ["6"]]
    assert log[1].exchange.answer == STEPS[2].exchange.answer


def test_a_run_that_is_shortened_again_counts_what_is_left_of_it() -> None:
    made = [Removal("steps", "5", summary=word, steps=1) for word in ("So.", "And so.")]
    log = shorten([*LOG, *STEPS], ORDER, made)
    assert [len(log), texts(log[1:])] == [3, [["5"], [file_block(B, "3").text, "5"]]]
    assert "And so." in log[0].exchange.sent[0].text


def test_what_was_said_before_a_run_can_go_alone() -> None:
    made = [Removal("steps", "5", summary="So.", paths=(A,))]
    log = shorten([*LOG, *STEPS], ORDER, made)
    assert texts(log[:1])[0][0] == file_block(A, "1").text
    assert [one.exchange for one in log[1:]] == [one.exchange for one in STEPS]


def test_while_the_run_goes_on_the_log_of_others_is_the_summary() -> None:
    log = shorten(LOG, ORDER, [Removal("steps", "5", summary="So.", steps=2)])
    assert [len(one.exchange.sent) for one in log] == [1]
    assert shorten(LOG, TURNS, [Removal("steps", "5", summary="So.", steps=2)]) == LOG


def test_the_head_stays_in_the_middle_of_a_run() -> None:
    assert not Removal("steps", "5").renews_head
    assert Removal("steps", "5").is_compaction
    assert (Removal("steps", "5").of_run, Removal("summarize", "5").of_run) == ("5", "")


def test_a_truncation_leaves_no_summary() -> None:
    assert texts(shorten(LOG[:3], TURNS[:3], [Removal("truncate", "3", "2")])) == [["2"], ["3"]]


def test_copies_at_the_beginning_stay_where_they_stand() -> None:
    removal = Removal("summarize", "3", "3", "They spoke.", (A,))
    (first, *rest) = shorten(LOG, TURNS, [removal])
    assert first.exchange.sent[0] == LOG[0].exchange.sent[0]
    assert first.exchange.sent[1].category is Category.SUMMARY
    assert texts(rest) == [["3"], [file_block(A, "4").text, "4"]]
    assert (removal.is_compaction, removal.renews_head) == (True, False)
    again = Removal("truncate", "4", "4", paths=(A,))
    ((*_, last),) = [one.exchange.sent for one in shorten(LOG, TURNS, [removal, again])]
    assert texts(shorten(LOG, TURNS, [removal, again])) == [[file_block(A, "1").text, "4"]]
    assert last.text == "4"


def test_a_file_that_does_not_begin_the_log_does_not_stay() -> None:
    assert texts(shorten(LOG[:3], TURNS[:3], [Removal("truncate", "3", "2", paths=(B,))])) == [
        *(["2"], ["3"])
    ]


def test_a_copy_that_stayed_is_trimmed_like_any_other() -> None:
    removals = [Removal("summarize", "3", "3", "s", (A,)), Removal("trim", "3", paths=(A,))]
    assert len(shorten(LOG, TURNS, removals)[0].exchange.sent) == 1


def test_a_second_compaction_takes_the_first_summary_with_it() -> None:
    removals = [Removal("summarize", "2", "2", "one"), Removal("summarize", "4", "4", "two")]
    log = shorten(LOG, TURNS, removals)
    assert [one.turn_id for one in log] == ["", "4"]
    assert "two" in log[0].exchange.sent[0].text


def test_a_compaction_may_keep_nothing() -> None:
    log = shorten(LOG[:2], TURNS[:2], [Removal("summarize", "2", "", "all")])
    assert [one.turn_id for one in log] == [""]


def test_a_trim_takes_all_that_is_said_of_a_file_up_to_its_turn() -> None:
    log = shorten(LOG, TURNS, [Removal("trim", "3", paths=(A,))])
    assert texts(log) == [
        ["1"],
        [file_block(B, "2").text, "2"],
        ["3"],
        [file_block(A, "4").text, "4"],
    ]
    assert log[2] is LOG[2]


def test_a_removal_of_turns_that_are_not_there_is_ignored() -> None:
    assert shorten(LOG, TURNS, [Removal("truncate", "9", "3")]) == LOG


def test_both_answers_of_one_turn_stay_or_go_together() -> None:
    log = [entry("1"), entry("2"), entry("2"), entry("3")]
    kept = shorten(log, TURNS, [Removal("truncate", "3", "2")])
    assert [one.turn_id for one in kept] == ["2", "2", "3"]


LONG = "".join(f"line {number}\n" for number in range(300))


def talking(log_trigger: int = 60_000) -> Talk:
    compaction = CompactionSettings(log_trigger_tokens=log_trigger)
    world = open_world({"a.py": LONG, "b.py": LONG.upper(), "c.py": "3\n"})
    return Talk(world, AppSettings(history_compaction=compaction))


def marked(talk: Talk, *, is_marked: bool) -> None:
    talk.world.model.info = replace(talk.world.model.info, takes_cache_marks=is_marked)


async def grown(talk: Talk) -> None:
    """A log with a copy of a file that is no longer selected, and two of one that is."""
    talk.select("a.py", "b.py")
    await talk.say("One?")
    talk.world.files.texts["b.py"] = LONG.replace("line", "row")
    talk.select("b.py")
    await talk.say("Two?")


@pytest.mark.parametrize("life_ms", [MARKED_LIFE_MS, OTHER_LIFE_MS])
async def test_after_a_pause_only_what_is_selected_goes_out_once(life_ms: int) -> None:
    talk = talking()
    marked(talk, is_marked=life_ms == MARKED_LIFE_MS)
    await grown(talk)
    talk.world.later_ms = life_ms
    await talk.say("Three?")
    last = str(sent(talk.prompts[-1])[1:])
    assert last.count("a.py") == 0
    assert (last.count("b.py\\n"), last.count("row 299"), last.count("LINE 299")) == (1, 1, 0)
    assert [question in last for question in ("One?", "Two?", "Three?")] == [True] * 3
    (removal,) = talk.world.removals.kept
    assert (removal.case, removal.paths) == ("trim", ("a.py", "b.py"))


async def test_a_shorter_pause_changes_nothing() -> None:
    talk = talking()
    await grown(talk)
    before = sent(talk.prompts[-1])
    talk.world.later_ms = OTHER_LIFE_MS - 60_000
    await talk.say("Three?")
    assert sent(talk.prompts[-1])[: len(before)] == before
    assert talk.world.removals.kept == []


async def test_after_a_pause_a_log_without_old_copies_stays() -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say("One?", "Two?")
    before = sent(talk.prompts[-1])
    talk.world.later_ms = OTHER_LIFE_MS
    await talk.say("Three?")
    assert sent(talk.prompts[-1])[: len(before)] == before


async def test_the_breakdown_shows_what_will_be_left_out_and_leaves_it_in() -> None:
    talk = talking()
    await grown(talk)
    talk.world.later_ms = OTHER_LIFE_MS
    shown = await context_breakdown(talk.conversation, talk.ports, "Three?")
    assert "L3 → no longer sent: 2 items — a.py, b.py" in shown["demotions"]
    assert talk.world.removals.kept == []
    await talk.say("Three?")
    assert shown["messages"] == len(talk.prompts[-1].messages)


async def test_a_log_that_is_too_long_loses_old_copies_though_the_cache_holds_it() -> None:
    talk = talking(log_trigger=900)
    talk.select("a.py", "b.py")
    await talk.say("One?", "Two?")
    assert talk.world.removals.kept == []
    talk.select("c.py")
    await talk.say("Three?")
    (removal,) = talk.world.removals.kept
    assert removal.paths == ("a.py", "b.py")
    assert "line 299" not in str(sent(talk.prompts[-1]))


async def test_a_long_log_stays_when_that_would_not_halve_it() -> None:
    talk = talking(log_trigger=900)
    talk.select("a.py", "b.py", "c.py")
    await talk.say("One?")
    talk.select("a.py", "b.py")
    await talk.say("Two?", "Three?")
    assert talk.world.removals.kept == []


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.sampled_from([0, 50, 4_000, 30_000]))
def test_talk_alone_is_compacted_at_the_logs_limit_at_the_latest(
    talk_limit: int, log_limit: int, model_limit: int
) -> None:
    found = CompactionSettings(compaction_trigger_tokens=talk_limit, log_trigger_tokens=log_limit)
    trigger = CompactionLimits.of(found, model_limit).trigger
    unlimited = 10**9
    assert trigger == min(talk_limit, log_limit or unlimited, model_limit // 2 or unlimited)


async def test_the_log_limit_is_in_the_settings() -> None:
    assert settings().history_compaction.log_trigger_tokens == 60_000


async def test_after_a_pause_talk_is_compacted_where_that_pays_and_the_question_waits() -> None:
    talk = Talk(found=settings(trigger=200))
    await talk.say("x" * 300, "y" * 100, "z" * 80)
    assert talk.stages() == []
    await talk.say("At once?")
    assert talk.stages() == []
    talk.world.later_ms = OTHER_LIFE_MS
    await talk.say("After a while?")
    assert talk.stages() == ["compaction_start", "compaction_complete"]
    assert sent(talk.prompts[-1])[1][1][0].startswith("[Summary")
    assert sent(talk.prompts[-1])[-1][1][-1] == "After a while?"


async def test_after_a_pause_a_short_talk_stays() -> None:
    talk = Talk(found=settings(trigger=2000))
    await talk.say("x" * 300, "y" * 100, "z" * 80)
    talk.world.later_ms = OTHER_LIFE_MS
    await talk.say("After a while?")
    assert talk.stages() == []
