"""Includes of C and C++."""

from tests.support.indexed import imported, meant, state_of


def test_an_include_leads_to_the_file_beside_or_to_the_nearest_that_ends_so() -> None:
    files = {
        "src/a.c": '#include "a.h"\n#include <lib/b.h>\n'
        '#include "../far/c.h"\n#include <stdio.h>\n',
        "src/a.h": "",
        "include/lib/b.h": "",
        "vendor/x/include/lib/b.h": "",
        "far/c.h": "",
    }
    found = imported(state_of(files), "src/a.c")
    assert found == ["src/a.h", "include/lib/b.h", "far/c.h", None]


def test_a_call_means_the_definition_rather_than_its_declaration() -> None:
    files = {
        "ring.h": "int ring_push(int value);\n",
        "ring.c": '#include "ring.h"\nint ring_push(int value) { return value; }\n',
        "main.c": '#include "ring.h"\nint main(void) { return ring_push(1); }\n',
    }
    assert meant(state_of(files), "main.c", "ring_push") == "ring.c:ring_push"


def test_headers_are_followed_through_headers() -> None:
    files = {
        "deep.h": "static int twice(int n) { return 2 * n; }\n",
        "all.h": '#include "deep.h"\n',
        "other.h": "static int twice(int n) { return n; }\n",
        "main.c": '#include "all.h"\nint main(void) { return twice(1); }\n',
    }
    assert meant(state_of(files), "main.c", "twice") == "deep.h:twice"


def test_headers_that_include_each_other_end() -> None:
    files = {"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'}
    files["main.c"] = '#include "a.h"\nint main(void) { return a_thing(); }\n'
    assert meant(state_of(files), "main.c", "a_thing") == ""
