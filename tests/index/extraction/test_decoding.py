import json

import pytest

from jupyter_ac.index.extraction.decoding import cells_of, readable
from jupyter_ac.notebook.percent import percent_text


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (b"", b"", ""),
        (b"abc", b"abc", ""),
        ("é😀".encode(), "é😀".encode(), ""),
        (b"\xef\xbb\xbfabc", b"abc", ""),
        (b"a\n\xff b", "a\n\ufffd b".encode(), "not UTF-8 in line 2"),
        (b"\xff\xfea\0", b"", "UTF-16, which isn't read"),
        (b"a\0", b"", "binary"),
    ],
)
def test_readable(data: bytes, text: bytes, note: str) -> None:
    found = readable(data)
    assert (found.data, found.note) == (text, note)
    assert found.is_read == (bool(text) or not data)


def test_a_nul_far_behind_the_beginning_is_a_character_like_others() -> None:
    assert readable(b"x" * 9000 + b"\0").is_read


Cell = tuple[str, str | list[str], dict[str, object]]

CELLS: list[Cell] = [
    ("markdown", ["# Title\n", "\n", "text `x`\n"], {}),
    ("code", "import os\n%matplotlib inline\n!ls -l\nx = 1\n\n\n", {"tags": ["a", "b"]}),
    ("code", "%%bash\nls\nfoo", {}),
    ("code", "", {}),
    ("raw", "raw\nline", {}),
    ("code", "%%time\ny=2\n?x\nx?\ndef f():\n    pass", {}),
    ("markdown", "", {}),
    ("code", "\n\nz = (1\n    % 2)", {}),
    ("code", "# comment\n  \n\n# last", {}),
    ("code", "cd ..\nls\n%%timeit", {}),
    ("code", "%%html\n<b>x</b>", {}),
    ("code", "%%writefile x.py\nprint(1)", {}),
    ("code", '"""\ndoc\n"""\n', {}),
    ("code", "x = !ls\ny = %time z", {}),
]


def notebook(cells: list[Cell], language: str) -> str:
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": language, "language": language}},
            "cells": [
                {
                    "cell_type": kind,
                    "source": source,
                    "metadata": metadata,
                    **({"outputs": [], "execution_count": 1} if kind == "code" else {}),
                }
                for kind, source, metadata in cells
            ],
        }
    )


def test_the_lines_are_those_that_the_model_is_shown() -> None:
    text = notebook(CELLS, "python")
    assert cells_of(text.encode()).text == percent_text(text)


@pytest.mark.parametrize("language", ["python", "javascript", "rust", "bash", "ruby"])
def test_comments_are_those_of_the_language(language: str) -> None:
    text = notebook([("markdown", "# T\nb", {}), ("code", "x = 1", {})], language)
    found = cells_of(text.encode())
    assert found.language == language
    assert found.text == percent_text(text)


def test_kernels_have_other_names_for_languages() -> None:
    assert cells_of(notebook([], "C++17").encode()).language == "cpp"
    assert cells_of(b'{"cells": [], "metadata": {"language_info": {"name": "R"}}}').language == "r"
    assert cells_of(b'{"cells": []}').language == "python"


def test_the_third_version_of_the_format() -> None:
    old = {
        "nbformat": 3,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": ["Old"]},
                    {"cell_type": "code", "language": "python", "input": ["f()"], "outputs": []},
                ]
            }
        ],
    }
    assert cells_of(json.dumps(old).encode()).text == (
        "# %% [markdown] cell=1\n# ## Old\n\n# %% cell=2\nf()\n"
    )


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"{", b'{"cells"', b"1", b"[" * 10_000])
def test_other_files_are_no_notebooks(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a notebook"):
        cells_of(data)


@pytest.mark.parametrize(
    "cells", [1, None, [1, None, {}], [{"cell_type": 1, "source": 2}], [{"source": ["a", 3]}]]
)
def test_faulty_cells_are_endured(cells: object) -> None:
    found = cells_of(json.dumps({"cells": cells, "metadata": [], "worksheets": 3}).encode())
    assert found.language == "python"
