"""C++: its files and those of C name each other."""

import pytest

from jupyter_ac.index.languages.registry import language_of
from tests.support.indexed import meant, record_of, state_of


@pytest.mark.parametrize("path", ["a.cpp", "a.cu", "a.hpp", "a.ipp", "a.C++"])
def test_sources_and_headers(path: str) -> None:
    assert language_of(path) == "cpp"


def test_a_header_leads_to_what_defines() -> None:
    files = {
        "shape.hpp": "class Shape { public: int area_of(int n); };\n",
        "shape.cpp": '#include "shape.hpp"\nint Shape::area_of(int n) { return helper_of_c(n); }\n',
        "help.h": "int helper_of_c(int n);\n",
        "help.c": '#include "help.h"\nint helper_of_c(int n) { return n; }\n',
    }
    state = state_of(files)
    assert meant(state, "shape.cpp", "helper_of_c") == "help.c:helper_of_c"
    assert [symbol.name for symbol in record_of(state, "shape.hpp").symbols] == ["Shape", "area_of"]
