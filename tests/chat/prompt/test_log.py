from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    note_block,
    question_block,
)
from jupyter_ac.chat.prompt.log import (
    Copy,
    Exchange,
    files,
    messages_of,
    passed_with,
    standing,
    talk,
    without_maps,
)
from jupyter_ac.ids import RepoPath

A, B = RepoPath("a.py"), RepoPath("b.py")


def exchange(*blocks: Block) -> Exchange:
    return Exchange((*blocks, question_block("Why?")), answer_block("Because."))


def test_the_newest_copy_of_a_file_counts() -> None:
    old, new = file_block(A, "1"), file_block(A, "2")
    seen = standing([exchange(old, file_block(B, "b")), exchange(new)])
    assert seen[A] == Copy(new.source, current=True, whole=new)
    assert list(seen) == [A, B]


def test_each_note_turns_a_files_standing_over() -> None:
    block, note = file_block(A, "1"), note_block(A, "gone")
    assert not standing([exchange(block), exchange(note)])[A].current
    assert standing([exchange(block), exchange(note), exchange(note)])[A].current


def test_a_new_copy_is_current_whatever_was_noted_before() -> None:
    again = file_block(A, "2")
    turns = [exchange(file_block(A, "1")), exchange(note_block(A, "gone")), exchange(again)]
    assert standing(turns)[A] == Copy(again.source, current=True, whole=again)


def test_a_note_about_a_file_that_was_never_seen_and_one_about_none_change_nothing() -> None:
    assert standing([exchange(note_block(A, "gone"), note_block(None, "3 more"))]) == {}


def test_talk_files_and_lines_about_files_are_told_apart() -> None:
    one = exchange(file_block(A, "1"), note_block(B, "gone"))
    assert [block.text for block in talk([one])] == ["Why?", "Because."]
    assert [block.path for block in files([one])] == [A]
    assert [block.path for block in one.about_files] == [A, B]


NEAR = Block(Category.RANKED, "near")
QUESTION, RETRY = question_block("Why?"), Block(Category.RETRY, "Again.")


def test_a_part_of_the_map_before_its_question_is_part_of_the_log() -> None:
    assert messages_of([NEAR, QUESTION, RETRY]) == [[NEAR, QUESTION], [RETRY]]
    assert passed_with([NEAR, QUESTION, RETRY]) == ()


def test_a_part_of_the_map_behind_its_question_has_passed_with_it() -> None:
    file = file_block(A, "1")
    assert messages_of([file, QUESTION, NEAR, file, RETRY]) == [[file, QUESTION], [file, RETRY]]
    assert passed_with([file, QUESTION, NEAR, file, RETRY]) == (NEAR,)
    assert messages_of([]) == []


def test_a_part_of_the_map_is_no_talk_and_goes_where_there_is_no_room_for_maps() -> None:
    one = exchange(NEAR)
    assert talk([one]) == [QUESTION, one.answer]
    assert without_maps([one]) == [exchange()]
