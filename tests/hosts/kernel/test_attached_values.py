"""Values that are attached to the panel's next question."""

import base64
import json
import subprocess
import sys
import types
from importlib.machinery import ModuleSpec
from io import BytesIO
from pathlib import Path
from typing import ClassVar

import pytest

from jupyter_ac.chat.context_items import MAX_CHARS
from jupyter_ac.chat.images import MAX_BYTES, read_data_uri
from jupyter_ac.errors import InvalidParams, TooLarge, Unsupported
from jupyter_ac.hosts.kernel.attached_values import MAX_SIDE, attached_item
from jupyter_ac.hosts.kernel.session_items import SOURCE
from tests.meta.sources import ROOT
from tests.support.pictures import png


class Figure:
    """What the test puts in the place of matplotlib's class."""

    png = png()
    drawn: ClassVar[list[float]] = []

    def get_size_inches(self) -> tuple[float, float]:
        return 40.0, 10.0

    def get_dpi(self) -> float:
        return 100.0

    def savefig(self, target: BytesIO, *, dpi: float, **others: object) -> None:
        assert others == {"format": "png"}
        self.drawn.append(dpi)
        target.write(self.png)


class Loud:
    """Fails when any of its code runs."""

    def __repr__(self) -> str:
        raise AssertionError("its code ran")

    __str__ = __len__ = __repr__

    def savefig(self, *_: object, **__: object) -> None:
        raise AssertionError("an unknown type was drawn")


@pytest.fixture
def figure(monkeypatch: pytest.MonkeyPatch) -> type[Figure]:
    """Make the class known as matplotlib's."""
    module = types.ModuleType("matplotlib.figure")
    module.__spec__ = ModuleSpec("matplotlib.figure", None)
    monkeypatch.setattr(Figure, "__module__", "matplotlib.figure")
    vars(module)["Figure"] = Figure
    monkeypatch.setitem(sys.modules, "matplotlib.figure", module)
    monkeypatch.setattr(Figure, "drawn", [])
    return Figure


def test_a_value_is_summarised_and_named_after_its_variable() -> None:
    rates = [0.25, 0.5]
    namespace: dict[object, object] = {"_": rates, 7: rates, "rates": rates, "same": rates}
    item = attached_item(rates, None, namespace)
    assert (item["kind"], item["name"], item["source"]) == ("variable", "rates", SOURCE)
    assert item["text"].endswith("[0.25, 0.5]")
    assert attached_item(rates, "prices", namespace)["name"] == "prices"
    assert attached_item([1], None, namespace)["name"] == "list"


def test_a_text_goes_out_as_it_is() -> None:
    text = "line\n" * 5000
    item = attached_item(text, "the log", {})
    assert item == {"kind": "variable", "name": "the log", "text": text, "source": SOURCE}
    with pytest.raises(TooLarge, match="a part of it"):
        attached_item("x" * (MAX_CHARS + 1), None, {})


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, 7])
def test_a_wrong_name_is_refused(name: object) -> None:
    with pytest.raises(InvalidParams, match="name must be"):
        attached_item(1, json.loads(json.dumps(name)), {})


def test_a_figure_comes_with_its_picture_of_bounded_size(figure: type[Figure]) -> None:
    item = attached_item(figure(), "plot", {})
    (uri,) = item["images"]
    assert read_data_uri(uri, "it").mime == "image/png"
    assert base64.b64decode(uri.partition(",")[2]) == Figure.png
    assert figure.drawn == [MAX_SIDE / 40]


def test_a_picture_that_is_too_large_or_fails_is_said(
    figure: type[Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figure, "png", b"x" * (MAX_BYTES + 1))
    with pytest.raises(TooLarge, match=r"The picture of plot has 5,242,881 bytes"):
        attached_item(figure(), "plot", {})
    monkeypatch.setattr(figure, "png", None)
    with pytest.raises(Unsupported, match="Figure could not be drawn: a bytes-like object"):
        attached_item(figure(), "plot", {})


def test_no_code_of_another_class_runs(figure: type[Figure]) -> None:
    derived = type("Figure", (figure, Loud), {"__module__": "matplotlib.figure"})
    for value in (Loud(), derived()):
        assert "images" not in attached_item(value, None, {})
    assert figure.drawn == []


_PROGRAM = """
import json, sys
sys.path.insert(0, {root!r})
import matplotlib; matplotlib.use("agg")
import matplotlib.pyplot as plt
from PIL import Image
from jupyter_ac.hosts.kernel.attached_values import attached_item
figure, axes = plt.subplots(figsize=(50, 20)); axes.plot([1, 2])
Image.new("RGB", (30, 20), "red").save("red.jpeg")
values = {{
    "figure": figure,
    "wide": Image.new("CMYK", (5000, 20)),
    "opened": Image.open("red.jpeg"),
}}
print(json.dumps({{name: attached_item(value, None, values) for name, value in values.items()}}))
"""


@pytest.mark.soak
def test_real_figures_and_images(extras_python: Path, tmp_path: Path) -> None:
    command = [str(extras_python), "-c", _PROGRAM.format(root=str(ROOT))]
    run = subprocess.run(command, capture_output=True, timeout=300, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr.decode()
    sizes = {}
    for name, item in json.loads(run.stdout).items():
        assert item["name"] == name
        data = read_data_uri(item["images"][0], "it").data
        sizes[name] = (int.from_bytes(data[16:20]), int.from_bytes(data[20:24]))
    assert sizes == {"figure": (2000, 800), "wide": (2000, 8), "opened": (30, 20)}
