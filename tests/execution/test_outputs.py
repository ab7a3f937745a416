import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.execution import outputs as module
from jupyter_ac.execution.outputs import (
    MAX_CHARS,
    MAX_ERROR_CHARS,
    MAX_ERRORS,
    MAX_IMAGES,
    OutputCapture,
    OutputKind,
)
from tests.support.pictures import GIF, png

PNG = png()


def _captured(*outputs: dict[str, object]) -> OutputCapture:
    capture = OutputCapture()
    for output in outputs:
        capture.add(output)
    return capture


def _stream(text: object) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _display(**data: object) -> dict[str, object]:
    bundle = {name.replace("_", "/"): value for name, value in data.items()}
    return {"output_type": "display_data", "data": bundle, "metadata": {}}


def _error(*frames: object) -> dict[str, object]:
    return {"output_type": "error", "ename": "E", "evalue": "why", "traceback": list(frames)}


def _seen(capture: OutputCapture) -> list[tuple[str, str]]:
    return [(output.kind.value, output.text) for output in capture.outputs]


def test_texts_that_follow_each_other_are_one() -> None:
    capture = _captured(_stream("a"), _stream(["b\n", "c\n"]), _display(text_plain=["4", "2"]))
    assert _seen(capture) == [("text", "ab\nc\n42\n")]
    capture.add(_stream("d"))
    assert _seen(capture) == [("text", "ab\nc\n42\nd")]


def test_escape_sequences_are_removed_also_across_messages() -> None:
    capture = _captured(
        _stream("\x1b[31mr"), _stream("ed\x1b["), _stream("0m \x1b]8;;http://x\x07link\x1b]8;;\x07")
    )
    assert _seen(capture) == [("text", "red link")]


def test_a_progress_bar_is_its_last_state() -> None:
    capture = _captured(_stream("10%\r50%\r"), _stream("100%\nnext\r\nline"))
    assert _seen(capture) == [("text", "100%\nnext\nline")]


def test_an_error_is_its_traceback_without_colours() -> None:
    assert _seen(_captured(_error("\x1b[31mTraceback\x1b[0m", "E: why"))) == [
        ("error", "Traceback\nE: why")
    ]
    assert _seen(_captured(_error())) == [("error", "E: why")]


def test_of_a_long_error_the_end_is_kept() -> None:
    capture = _captured(_error("x" * MAX_ERROR_CHARS + "the end"))
    ((_, text),) = _seen(capture)
    assert (len(text), text[-7:], capture.left_out) == (MAX_ERROR_CHARS, "the end", 7)


def test_images_are_data_in_their_place() -> None:
    capture = _captured(
        _stream("before"),
        _display(text_plain="<Figure>", image_png=base64.b64encode(PNG).decode() + "\n"),
        _display(image_gif=base64.b64encode(GIF).decode()),
        _stream("after"),
    )
    assert [output.kind.value for output in capture.outputs] == ["text", "image", "image", "text"]
    image = capture.outputs[1]
    assert (image.mime_type, image.data) == ("image/png", PNG)
    assert image.row() == {
        "kind": "image",
        "text": "",
        "mime_type": "image/png",
        "bytes": len(PNG),
    }


@pytest.mark.parametrize(
    "data", ["not base64!", base64.b64encode(b"<svg>").decode(), "", ["x"], 3, None]
)
def test_what_is_no_image_of_its_type_is_left_out(data: object) -> None:
    capture = _captured(_display(image_png=data))
    assert (capture.outputs, capture.left_out) == ((), 1)


def test_an_image_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_IMAGE_BYTES", len(PNG) - 1)
    capture = _captured(_display(image_png=base64.b64encode(PNG).decode()))
    assert (capture.outputs, capture.left_out) == ((), 1)


def test_the_number_of_images_and_errors_is_bounded() -> None:
    image = _display(image_png=base64.b64encode(PNG).decode())
    capture = _captured(*[image] * (MAX_IMAGES + 2), *[_error("e")] * (MAX_ERRORS + 3))
    kinds = [output.kind for output in capture.outputs]
    assert kinds == [OutputKind.IMAGE] * MAX_IMAGES + [OutputKind.ERROR] * MAX_ERRORS
    assert capture.left_out == 5


def test_text_is_bounded_and_an_error_after_it_is_kept() -> None:
    capture = _captured(*[_stream("x" * 999)] * 200, _error("the reason"))
    text, error = capture.outputs
    assert (len(text.text), error.text) == (MAX_CHARS, "the reason")
    assert capture.left_out == 200 * 999 - MAX_CHARS


def test_outputs_are_cleared_at_once_or_with_the_next() -> None:
    clear = {"output_type": "clear_output", "wait": False}
    assert _seen(_captured(_stream("a"), clear)) == []
    capture = _captured(_stream("a"), clear | {"wait": True})
    assert _seen(capture) == [("text", "a")]
    capture.add(_stream("b"))
    assert _seen(capture) == [("text", "b")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = st.sampled_from(
    ["stream", "display_data", "execute_result", "error", "clear_output", "status"]
)
MEMBERS = st.sampled_from(["text", "data", "traceback", "ename", "evalue", "wait", "name"])


@given(st.lists(st.tuples(KINDS, st.dictionaries(MEMBERS, JSON)), max_size=5))
def test_no_message_harms(messages: list[tuple[str, dict[str, object]]]) -> None:
    capture = _captured(*({**members, "output_type": kind} for kind, members in messages))
    assert all(isinstance(output.text, str) for output in capture.outputs)
    assert capture.left_out >= 0
