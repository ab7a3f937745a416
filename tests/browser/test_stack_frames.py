from jupyter_ac.browser.stack_frames import MAX_FRAMES, StackFrame, frame_at, frames_of


def test_lines_and_columns_count_from_one() -> None:
    call = {"functionName": "f", "url": "http://h/a.js", "lineNumber": 0, "columnNumber": 4}
    assert frames_of({"callFrames": [call]}) == (StackFrame("f", "http://h/a.js", 1, 5),)


def test_stacks_before_asynchronous_calls_follow() -> None:
    parent = {"callFrames": [{"url": "b"}], "parent": {"callFrames": [{"url": "c"}]}}
    found = frames_of({"callFrames": [{"url": "a"}, {}, None], "parent": parent})
    assert [frame.url for frame in found] == ["a", "b", "c"]


def test_stacks_are_bounded() -> None:
    stack: dict[str, object] = {"callFrames": [{"url": "a", "lineNumber": -5}] * 1000}
    stack["parent"] = stack
    assert len(frames_of(stack)) == MAX_FRAMES
    empty: dict[str, object] = {}
    empty["parent"] = empty
    assert frames_of(empty) == frames_of(None) == ()


def test_a_place_without_a_url_is_none() -> None:
    assert frame_at({"lineNumber": 5}) is None
    odd = {"url": "u", "lineNumber": float("nan"), "columnNumber": "x"}
    assert frame_at(odd) == StackFrame("", "u", 1, 1)
