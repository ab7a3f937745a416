import asyncio
import re
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.git.repository import discover
from jupyter_ac.git.search.grep import search
from jupyter_ac.git.search.query import Query, acceptance, is_bytewise
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository

PIECES = (
    "a",
    "b",
    "A",
    "ä",
    "Ä",
    "é",
    "_",
    "1",
    " ",
    "-",
    "--",
    ".",
    "*",
    "(",
    "[",
    "\\",
    ":",
    "日",
)
NAMES = ("a-1-b", "a:2:c", "ü/é", "n\n3\n-x", "-l", "b\udce9", "d/*", "d/e/f g")
ATOMS = ("a", "b", "_", "1", " ", "ä", "[ab]", "[^a]", "[a-c1]", ".", r"\.", "(a|b)", "[äé]", "-")

Lines = list[tuple[int, str]]

lines = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
texts = st.tuples(
    st.lists(lines, max_size=6), st.sampled_from(("\n", "\r\n")), st.sampled_from(("", "\n"))
).map(lambda made: made[1].join(made[0]) + made[2])
literals = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join)
repeated = st.tuples(st.sampled_from(ATOMS), st.sampled_from(("", "", "*", "+", "?", "{2}")))
expressions = st.tuples(
    st.sampled_from(("", "^")),
    st.lists(st.one_of(repeated.map("".join), st.just(".*")), min_size=1, max_size=3).map("".join),
    st.sampled_from(("", "$")),
).map("".join)
queries = st.builds(
    Query,
    text=literals,
    whole_word=st.booleans(),
    ignore_case=st.booleans(),
    context_lines=st.integers(-1, 4),
) | st.builds(
    Query,
    text=expressions,
    use_regex=st.just(value=True),
    ignore_case=st.booleans(),
    context_lines=st.integers(-1, 4),
)


def read(query: Query, files: Mapping[str, str]) -> list[tuple[str, int, Lines, Lines]]:
    """Search as the documentation has it, without git."""
    text = query.text if query.use_regex else re.escape(query.text)
    if query.whole_word:
        text = rf"(?<!\w){text}(?!\w)"
    pattern = re.compile(text, re.IGNORECASE if query.ignore_case else re.NOFLAG)
    found: list[tuple[str, int, Lines, Lines]] = []
    for name in sorted(files, key=lambda name: name.encode("utf-8", "surrogateescape")):
        all_lines = files[name].split("\n")
        if not all_lines[-1]:
            all_lines.pop()
        hits = [pattern.search(line) is not None for line in all_lines]
        found += [
            (name, at + 1, around(all_lines, hits, at, -1, query)[::-1], beside)
            for at, hit in enumerate(hits)
            if hit and (beside := around(all_lines, hits, at, 1, query)) is not None
        ]
    return found


def around(all_lines: list[str], hits: list[bool], at: int, step: int, query: Query) -> Lines:
    """Give the lines beside a match, nearest first, up to the next match."""
    found: Lines = []
    for distance in range(1, query.context_lines + 1):
        near = at + step * distance
        if not 0 <= near < len(all_lines) or hits[near]:
            break
        found.append((near + 1, all_lines[near].removesuffix("\r")))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    """A repository whose files each example writes anew, half of them tracked."""
    made = make_repository(tmp_path_factory.mktemp("any") / "r", dict.fromkeys(NAMES[::2], "a\n"))
    for name in NAMES[1::2]:
        made.write(name, "a\n")
    return made


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    contents=st.lists(texts, min_size=len(NAMES), max_size=len(NAMES)),
    asked=st.lists(queries.filter(lambda query: query.text.strip()), min_size=3, max_size=3),
)
def test_any_query_finds_what_reading_the_files_finds(
    folder: RepositoryFolder, contents: list[str], asked: list[Query]
) -> None:
    files = dict(zip(NAMES, contents, strict=True))
    for name, text in files.items():
        folder.write(name, text)

    async def found(query: Query) -> list[tuple[str, int, Lines, Lines]]:
        return [
            (
                row["file"],
                match["line_num"],
                [(line["line_num"], line["line"]) for line in match["context_before"]],
                [(line["line_num"], line["line"]) for line in match["context_after"]],
            )
            for row in await search(await discover(folder.root), query)
            for match in row["matches"]
        ]

    for query in asked:
        assert asyncio.run(found(query)) == read(query, files), query


def test_letters_beyond_ascii_are_part_of_a_word() -> None:
    accepts = acceptance(Query("caf", whole_word=True))
    assert accepts is not None
    assert not accepts("café".encode())
    assert accepts("café, CAF é".encode())
    assert accepts(b"caf\xe9")
    assert accepts(b"git says so")
    assert acceptance(Query("caf")) is None
    assert acceptance(Query("caf", whole_word=True, use_regex=True)) is None


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        ".+",
        "f[^x]+n_3",
        "a[^b]*c.+",
        "a.*b",
        r"a\.b",
        "[a-z]+_[0-9]{2}",
        r"\(x\)",
        "^(a|b)?$",
        r"[a\]",
    ],
)
def test_expressions_for_which_a_byte_is_as_good_as_a_letter(text: str) -> None:
    assert is_bytewise(Query(text, use_regex=True))


@pytest.mark.parametrize(
    "text",
    [
        "é",
        "a.b",
        ".+.+",
        ".+[^a]+",
        "(.+){2}",
        "a.{2}",
        r"\\.",
        r"[^\]a]+",
        "[^a]",
        "[[:alpha:]]",
        r"\w",
        r"\bx",
        r"(.)\1",
        r"[a\].b",
    ],
)
def test_expressions_that_are_about_letters(text: str) -> None:
    assert not is_bytewise(Query(text, use_regex=True))
    assert not is_bytewise(Query(text))
