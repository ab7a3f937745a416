import pytest

from jupyter_ac.notebook.dialects import dialect_of
from jupyter_ac.notebook.markers import Marker, read_marker, write_marker


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        (Marker(), "# %%"),
        (Marker("markdown", "a"), '# %% [markdown] id="a"'),
        (Marker("raw", "", metadata={"x": None}), '# %% [raw] id="" x=null'),
        (Marker(magic="%%bash"), '# %% language="bash"'),
        (Marker(magic="%%bash "), '# %% magic_args="" language="bash"'),
        (
            Marker(metadata={"id": "x", "a b": {"c": [1, "\n"]}}),
            '# %% "id"="x" "a b"={"c": [1, "\\n"]}',
        ),
    ],
)
def test_it_is_written_and_read(marker: Marker, line: str) -> None:
    form = dialect_of("python")
    assert write_marker(marker, form) == line
    assert read_marker(line, form) == marker


def test_a_value_that_is_nested_too_deep_is_words() -> None:
    found = read_marker("# %% x=" + "[" * 100_000, dialect_of("python"))
    assert list(found.metadata) == ["title"]
