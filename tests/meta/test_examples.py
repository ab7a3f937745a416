"""The examples of the documentation are short, and a page shows each as it is."""

import re

import pytest

from tests.meta.sources import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PROGRAMS = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in {".py", ".mjs", ".sh"})
SHOWN = re.compile(r"\[examples/([\w.]+)\]\(examples/\1\):\n\n```\w+\n(.*?)```\n", re.DOTALL)
NOT_SHOWN = {"verify_hmac.mjs", "verify_hmac.py"}  # for who looks at the vectors beside them


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_has_at_most_thirty_lines(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 30


def test_the_page_shows_each_example_as_it_is() -> None:
    page = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    shown = dict(SHOWN.findall(page))
    files = {name: (EXAMPLES / name).read_text(encoding="utf-8") for name in PROGRAMS}
    assert shown == {name: text for name, text in files.items() if name not in NOT_SHOWN}
