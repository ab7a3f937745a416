"""Code blocks of answers, and texts as code blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jupyter_ac.hosts.kernel.code_blocks import fenced, most_similar, python_blocks


def test_blocks_of_python_are_found_wherever_they_are() -> None:
    answer = (
        "Like so:\n\n```python\nimport math\n```\n\n- then\n\n  ~~~~ipython3 title\n  x = 1\n\n"
        "  y = 2\n  ~~~~\n\n```bash\nls\n```\n\n```\nno language\n```\n"
    )
    assert python_blocks(answer) == ["import math", "x = 1\n\ny = 2"]


@pytest.mark.parametrize("name", ["Python", "py", "python3", "PY3", "ipython"])
def test_python_has_many_names(name: str) -> None:
    assert python_blocks(f"```{name}\nx\n```") == ["x"]


def test_without_a_language_a_block_counts_only_when_none_is_python() -> None:
    assert python_blocks("```\nx = 1\n```\n\n```bash\nls\n```") == ["x = 1"]
    assert python_blocks("```bash\nls\n```\n\nText.\n\n    indented\n") == []
    assert python_blocks("```python\n\n```\n\n```\nx\n```") == ["x"]


def test_a_block_that_was_cut_is_all_there_is() -> None:
    assert python_blocks("```python\nx = 1\ny") == ["x = 1\ny"]


@pytest.mark.parametrize(
    ("blocks", "source"),
    [
        (["def f(x):\n    return x or 1", "f(3)\nf(0)"], "def f(x):\n    return x"),
        (["total = 1 / rate", "print('done')"], "total = 1 / rates"),
        (["print(1)\nx = 2", "# an example\nprint(1)", "y"], "print(1)\nx = 3"),
    ],
)
def test_the_block_that_replaces_a_cell_is_most_like_it(blocks: list[str], source: str) -> None:
    for at in range(len(blocks)):
        assert most_similar(blocks[at:] + blocks[:at], source) == blocks[0]


def test_of_blocks_that_are_equally_unlike_the_last_one_is_taken() -> None:
    assert most_similar(["a", "b"], "1") == "b"
    assert most_similar(["only"], "") == "only"


@given(st.text(alphabet="`~ab \n#-", max_size=60))
def test_nothing_in_a_text_ends_its_block(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"Before.\n\n{fenced(text, 'python')}\n\nAfter.")
    assert [token.type for token in tokens].count("fence") == 1
    (code,) = [token.content for token in tokens if token.type == "fence"]
    assert code == f"{text}\n"
    assert tokens[-2].content == "After."


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for block in python_blocks(text):
        assert block.strip()
