"""What `make docs` writes is what is committed."""

import pytest

from tests.meta.sources import ROOT
from tools.generate_api import documents, surplus

MADE = documents()
DOCUMENTS = {path.as_posix(): text for path, text in MADE.items()}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_generated_file_is_up_to_date(name: str) -> None:
    committed = (ROOT / name).read_text(encoding="utf-8")
    assert committed == DOCUMENTS[name], "run: make docs"


def test_no_schema_is_left_of_a_method_that_has_gone() -> None:
    assert surplus(ROOT, MADE) == [], "run: make docs"
