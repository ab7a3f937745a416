import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.compaction.due import (
    CompactionLimits,
    TalkExchange,
    is_worth_it,
    look,
    may_be_due,
    pays_when_cold,
    verbatim_start,
    without_long_runs,
)
from jupyter_ac.settings.app import CompactionSettings
from tests.chat.compaction.world import SUMMARY, Talk, settings

LIMITS = CompactionLimits(trigger=100, window=40, summary=20, least_exchanges=2)


def talk(*tokens: int) -> list[TalkExchange]:
    return [TalkExchange(f"t{n}", "q", "a", size) for n, size in enumerate(tokens)]


def test_the_newest_exchanges_that_fit_the_window_stay() -> None:
    assert verbatim_start(talk(30, 30, 10, 10, 10), LIMITS) == 2
    assert verbatim_start(talk(10, 10), LIMITS) == 0
    assert verbatim_start([], LIMITS) == 0


def test_the_least_number_of_exchanges_stays_however_long_they_are() -> None:
    assert verbatim_start(talk(10, 500, 500), LIMITS) == 1


@pytest.mark.parametrize(
    ("turns", "room", "start"),
    [
        (["a", "b", "b", "b"], 100, 1),  # it has room: a run stays whole
        (["a", "b", "b", "b"], 29, 4),  # it hasn't: also the newest run goes
        (["a", "b", "b", "b"], 0, 1),  # nobody knows
        (["b", "b", "b", "c"], 29, 3),
        (["b", "b", "c", "c", "c"], 30, 2),
        (["a", "b"], 5, 0),  # turns of one exchange stay, whatever their length
    ],
)
def test_runs_stay_whole_or_go_whole(turns: list[str], room: int, start: int) -> None:
    limits = CompactionLimits(100, 40, 20, 2, room)
    said = [TalkExchange(turn, "q", "a", 10) for turn in turns]
    assert without_long_runs(said, len(said) - 2, limits) == start


@given(st.lists(st.integers(1, 60), max_size=12), st.integers(0, 3))
def test_what_stays_fits_the_window_or_is_the_least(sizes: list[int], least: int) -> None:
    limits = CompactionLimits(100, 40, 20, least)
    start = verbatim_start(talk(*sizes), limits)
    kept = sizes[start:]
    assert len(kept) >= min(least, len(sizes))
    assert sum(kept) <= 40 or len(kept) <= least
    if start and len(kept) > least:
        assert sum(sizes[start - 1 :]) > 40


def test_a_compaction_that_would_save_nothing_is_not_made() -> None:
    assert is_worth_it(talk(21, 10, 10), 1, LIMITS)
    assert not is_worth_it(talk(20, 10, 10), 1, LIMITS)
    assert not is_worth_it(talk(500, 500), 0, LIMITS)


def test_the_limits_are_so_small_that_a_compaction_helps() -> None:
    limits = CompactionLimits.of(CompactionSettings(compaction_trigger_tokens=200), 100_000)
    assert (limits.trigger, limits.window, limits.summary) == (200, 100, 50)
    assert limits.least_exchanges == 2


def test_a_trigger_of_nothing_still_gives_a_summary() -> None:
    limits = CompactionLimits.of(CompactionSettings(compaction_trigger_tokens=0), 0)
    assert (limits.trigger, limits.window, limits.summary) == (0, 0, 32)


def test_a_model_with_a_small_window_is_compacted_earlier() -> None:
    assert CompactionLimits.of(CompactionSettings(), 6000).trigger == 3000
    assert CompactionLimits.of(CompactionSettings(), 0).trigger == 24_000
    assert CompactionLimits.of(CompactionSettings(), 150_000).summary == 500


@pytest.mark.parametrize(
    ("exchanges", "tokens", "pays"),
    [(4, 300, False), (8, 300, False), (12, 300, True), (8, 400, True), (60, 9, False)],
)
def test_when_the_cache_has_expired_a_compaction_must_earn_its_price(
    exchanges: int, tokens: int, pays: bool
) -> None:
    limits = CompactionLimits.of(CompactionSettings(), 0)
    said = [TalkExchange(str(number), "q", "a", tokens) for number in range(exchanges)]
    assert pays_when_cold(said, exchanges - 2, limits) is pays


async def test_talk_is_measured_without_files() -> None:
    talk = Talk(found=settings(trigger=9000))
    talk.select("a.py")
    await talk.say("four")
    measured = await look(talk.conversation.session, talk.ports, to_least=False)
    assert measured.tokens == 1 + 3
    assert (measured.said[0].question, measured.said[0].answer) == ("four", "Hello world")


async def test_short_talk_is_not_even_counted() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    compaction = talk.world.settings.history_compaction
    assert not may_be_due(talk.conversation.session, compaction, talk.world.model.info)
    assert may_be_due(talk.conversation.session, settings(trigger=4).history_compaction, None)
    assert SUMMARY not in talk.world.counter.asked


async def test_a_turn_that_runs_is_no_part_of_what_is_compacted() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    last = talk.conversation.session.turns[-1].turn_id
    talk.world.model.held = True
    talk.start("id-9", "Why?")
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    assert measured.through == last
    await talk.turns.aclose()
