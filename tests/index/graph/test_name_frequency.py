"""Which names join files without an import."""

import pytest

from jupyter_ac.index.graph.name_frequency import COMMON, DISTINCTIVE, PLAIN, distinction


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("get", COMMON),
        ("run", COMMON),
        ("append", COMMON),
        ("addEventListener", COMMON),
        ("_run_", COMMON),
        ("__init__", COMMON),
        ("f", COMMON),
        ("ingest", PLAIN),
        ("Ledger", PLAIN),
        ("fetch_rows", DISTINCTIVE),
        ("fetchRows", DISTINCTIVE),
        ("HTTPServer", DISTINCTIVE),
        ("reconcile", DISTINCTIVE),
    ],
)
def test_names_of_standard_libraries_are_common_and_two_words_distinctive(
    name: str, expected: int
) -> None:
    assert distinction(name) == expected
