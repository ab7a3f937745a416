from dataclasses import replace

from jupyter_ac.chat.prompt.blocks import Block, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_window import Selected, choose_window
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.ids import RepoPath
from tests.chat.memory import QuarterCounter

STANDARD, EMBEDDED = profile("standard"), profile("embedded")
A, B = RepoPath("a.py"), RepoPath("b.py")


def exchange(question: str, *blocks: Block, answer: str = "Yes.") -> Exchange:
    return Exchange((*blocks, question_block(question)), answer_block(answer))


def big(path: RepoPath, characters: int) -> Block:
    return file_block(path, "x" * characters)


async def test_without_limits_everything_goes_out_and_nothing_is_counted() -> None:
    counter = QuarterCounter()
    past = [exchange(str(n), big(A, 9000 + n)) for n in range(30)]
    scale = Scale(BlockCounts(counter), "x")
    window = await choose_window(past, Selected([big(B, 50_000)]), STANDARD, scale)
    assert list(window.past) == past
    assert [block.path for block in window.news] == [A, B]
    assert counter.asked == []


async def test_the_oldest_talk_is_left_out_when_there_is_too_much_of_it() -> None:
    past = [exchange(f"question {n} " + "." * 390, answer="y" * 400) for n in range(4)]
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    window = await choose_window(past, Selected([]), EMBEDDED, scale)
    assert list(window.past) == past[3:]
    window = await choose_window(past, Selected([]), replace(EMBEDDED, talk_tokens=410), scale)
    assert list(window.past) == past[2:]


async def test_a_file_in_the_window_is_not_sent_again() -> None:
    block = big(A, 400)
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    window = await choose_window([exchange("1", block)], Selected([block]), EMBEDDED, scale)
    assert window.news == ()
    assert window.past[0].sent[0] == block


async def test_a_file_stays_at_the_front_when_its_own_turn_is_no_longer_told() -> None:
    block = big(A, 400)
    past = [exchange("1", block, answer="y" * 200), exchange("2", answer="y" * 1500), exchange("3")]
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    window = await choose_window(past, Selected([block]), EMBEDDED, scale)
    assert window.past == (Exchange((block, *past[1].sent), past[1].answer), past[2])
    assert (window.carried, window.news) == ((), ())


async def test_files_of_turns_that_are_all_left_out_stand_before_the_question() -> None:
    block = big(A, 400)
    past = [exchange("1", block, answer="y" * 1700)]
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    window = await choose_window(past, Selected([block]), EMBEDDED, scale)
    assert window.past == ()
    assert (window.carried, window.news) == ((block,), ())


async def test_old_copies_give_way_when_new_files_need_the_room_but_the_talk_stays() -> None:
    old, new = big(A, 1600), big(B, 1600)
    past = [exchange("1", old), exchange("2")]
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    window = await choose_window(past, Selected([old, new]), EMBEDDED, scale)
    assert [block.path for block in window.news] == [A, B]
    assert window.past == (Exchange(past[0].questions, past[0].answer), past[1])


async def test_the_beginning_stays_the_same_while_the_talk_slides() -> None:
    block = big(A, 400)
    scale = Scale(BlockCounts(QuarterCounter()), "x")
    past = [exchange("q0", block, answer="y" * 600)]
    for number in range(1, 8):
        window = await choose_window(past, Selected([block]), EMBEDDED, scale)
        first = window.past[0].sent[0] if window.past else window.carried[0]
        assert first == block
        assert window.news == ()
        past.append(exchange(f"q{number}", answer="y" * 600))
