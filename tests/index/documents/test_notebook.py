import pytest

from jupyter_ac.index.documents.notebook import notebook_outline


def test_cells_are_texts_of_their_own() -> None:
    found = notebook_outline("# %% [markdown]\n# # A\n# ```\n\n# %% [markdown]\n# ## B\n")
    assert [(head.text, head.line, head.last_line) for head in found.headings] == [
        ("A", 2, 5),
        ("B", 6, 6),
    ]


@pytest.mark.parametrize("comment", ["#", "//", "--", "%", ";;"])
def test_comments_are_those_of_the_language(comment: str) -> None:
    found = notebook_outline(f"{comment} %% [markdown]\n{comment} # Title\n{comment} [a](b.md)\n")
    assert [head.text for head in found.headings] == ["Title"]
    assert [link.target for link in found.links] == ["b.md"]


def test_code_counts_as_contents_of_the_section_before_it() -> None:
    found = notebook_outline("# %% [markdown]\n# # A\n\n# %%\nx = 1\n\n# %%\n\n")
    assert found.headings[0].contents == ("code",)
