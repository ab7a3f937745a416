import pytest

from jupyter_ac.notebook.writing import write

CELL: dict[str, object] = {
    "cell_type": "code",
    "source": "x = 1",
    "metadata": {},
    "outputs": [],
    "execution_count": None,
}
FILTERS = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "tags,-all"}


@pytest.mark.parametrize("language", ["python", "a-language-of-its-own"])
def test_a_language_that_is_not_known_is_written_as_python(language: str) -> None:
    metadata: dict[str, object] = {"jupytext": FILTERS, "language_info": {"name": language}}
    assert write(metadata, [CELL]) == "# %%\nx = 1\n"
