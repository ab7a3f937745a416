"""Outputs of cells as text."""

from jupyter_ac.notebook.output_text import MAX_LINES, output_text

PNG = "iVBORw0KGgo="


def _stream(text: str) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def test_texts_are_cut_to_their_first_lines() -> None:
    text = "\n".join(str(n) for n in range(MAX_LINES + 3))
    shown = output_text([_stream(text)]).split("\n")
    assert shown[:2] == ["0", "1"]
    assert shown[-1] == "(3 more lines)"
    assert len(shown) == MAX_LINES + 1
    assert output_text([_stream("one\n")]) == "one"


def test_errors_are_whole_and_without_colours() -> None:
    frames = [f"\x1b[31mframe {n}\x1b[0m" for n in range(50)]
    error = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": frames}
    assert output_text([error]).split("\n") == [f"frame {n}" for n in range(50)]


def test_of_images_type_and_size_are_told_and_of_others_nothing() -> None:
    image = {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "<Figure>"}}
    assert output_text([image]) == "(image/png, 8 bytes)"
    assert output_text([{"output_type": "odd"}, {}]) == ""
    assert output_text([]) == ""
