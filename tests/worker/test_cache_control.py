from jupyter_ac.worker.cache_control import with_marks, without_marks

MARK = {"type": "ephemeral"}


def words(text: str) -> int:
    return len(text.split())


def marked_texts(messages: list[dict[str, object]]) -> list[object]:
    contents = [message["content"] for message in messages]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return [part["text"] for part in parts if part.get("cache_control") == MARK]


TALK: list[dict[str, object]] = [
    {"role": "system", "content": "one two three"},
    {"role": "user", "content": "first question"},
    {"role": "assistant", "content": "first answer"},
    {
        "role": "user",
        "content": [{"type": "text", "text": "a file"}, {"type": "text", "text": "why?"}],
    },
]


def test_marks_stand_at_the_ends_of_system_earlier_question_and_request() -> None:
    messages, marks = with_marks(TALK, 3, words)
    assert marks == 3
    assert marked_texts(messages) == ["one two three", "first question", "why?"]
    assert messages[2] == TALK[2]


def test_no_mark_stands_below_the_minimum() -> None:
    messages, marks = with_marks(TALK, 4, words)
    assert marked_texts(messages) == ["first question", "why?"]
    assert marks == 2
    assert with_marks(TALK, 100, words) == (TALK, 0)


def test_a_first_question_is_marked_at_its_end() -> None:
    talk: list[dict[str, object]] = [TALK[0], {"role": "user", "content": "why?"}]
    assert marked_texts(with_marks(talk, 1, words)[0]) == ["one two three", "why?"]
    assert marked_texts(with_marks(talk[1:], 1, words)[0]) == ["why?"]


def test_a_mark_stands_behind_the_files_of_the_first_question() -> None:
    parts = [{"type": "text", "text": text} for text in ("one file", "two file", "why?")]
    talk: list[dict[str, object]] = [TALK[0], {"role": "user", "content": parts}]
    for more in (0, 2, 4):
        messages, marks = with_marks([*talk, *TALK[2:4] * (more // 2)], 1, words)
        assert marked_texts(messages)[:2] == ["one two three", "two file"]
        assert marks == len(marked_texts(messages)) == (3 if not more else 4)
    assert marked_texts(with_marks(talk, 6, words)[0]) == ["two file", "why?"]


def test_an_empty_text_carries_no_mark() -> None:
    parts = [{"type": "text", "text": "full"}, {"type": "text", "text": " "}]
    messages, marks = with_marks([{"role": "user", "content": parts}], 1, words)
    assert marked_texts(messages) == ["full"]
    assert marks == 1
    assert with_marks([{"role": "user", "content": ""}], 0, words)[1] == 0


def test_the_callers_messages_are_left_alone() -> None:
    parts = [{"type": "text", "text": "full"}]
    with_marks([{"role": "user", "content": parts}], 0, words)
    assert parts == [{"type": "text", "text": "full"}]


def test_marks_are_taken_away_wherever_they_stand() -> None:
    messages, _ = with_marks(TALK, 0, words)
    plain = without_marks(messages)
    assert marked_texts(plain) == []
    assert plain[3] == TALK[3]
    assert without_marks(TALK) == TALK


def test_a_part_that_passes_with_the_request_stands_behind_the_last_mark() -> None:
    parts = [{"type": "text", "text": text} for text in ("a file", "why?", "a reminder")]
    talk: list[dict[str, object]] = [*TALK[:3], {"role": "user", "content": parts}]
    messages, marks = with_marks(talk, 1, words, passing_parts=1)
    assert marked_texts(messages) == ["one two three", "first question", "why?"]
    assert marks == 3


def test_parts_that_pass_count_for_no_prefix() -> None:
    parts = [{"type": "text", "text": text} for text in ("why?", "a long reminder of rules")]
    talk: list[dict[str, object]] = [{"role": "user", "content": parts}]
    assert with_marks(talk, 3, words, passing_parts=1)[1] == 0
    assert with_marks(talk, 3, words, passing_parts=2)[1] == 0
    assert with_marks(talk, 3, words)[1] == 1


def called(answer: str | None) -> dict[str, object]:
    return {"role": "assistant", "content": answer, "tool_calls": [{"id": "c1"}]}


RESULT: dict[str, object] = {"role": "tool", "tool_call_id": "c1", "content": "a result"}
LEFT: dict[str, object] = {"role": "user", "content": "two steps left"}


def test_the_end_of_the_request_before_is_marked_again_between_the_steps_of_a_run() -> None:
    steps = [*TALK[:2]]
    ends: list[object] = []
    for answer in ("I look.", None, None):
        messages, marks = with_marks(steps, 1, words)
        texts = marked_texts(messages)
        assert marks == len(texts)
        assert texts[-1] == steps[-1]["content"]
        if ends:
            assert ends[-1] in texts[:-1]
        ends.append(texts[-1])
        steps += [called(answer), RESULT, RESULT, {**LEFT, "content": f"{len(ends)} steps made"}]


def test_calls_and_results_stay_as_they_are() -> None:
    messages, _ = with_marks([*TALK[:2], called(None), RESULT, RESULT, LEFT], 1, words)
    assert messages[2] == called(None)
    assert messages[3:5] == [RESULT, RESULT]
    plain = without_marks(messages)
    assert plain[2:5] == [called(None), RESULT, RESULT]


def test_a_result_that_ends_a_request_can_carry_a_mark() -> None:
    messages, _ = with_marks([*TALK[:2], called(None), RESULT], 1, words)
    assert marked_texts(messages)[-1] == "a result"
    assert messages[-1]["tool_call_id"] == "c1"
