import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.stack_frames import StackFrame
from jupyter_ac.browser.stack_mapping import RepositoryFiles, StackMapper, path_of
from tests.browser.test_source_maps import source_map

FILES = ["static/js/app.js", "other/js/app.js", "src/main.ts", "web/src/main.ts", "index.html"]


def frame(url: str, line: int = 3, column: int = 5) -> StackFrame:
    return StackFrame("f", url, line, column)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/static/js/app.js", "static/js/app.js"),
        ("/x/static/js/app.js", "static/js/app.js"),
        ("/js/app.js", ""),  # two of them
        ("/app.js", ""),
        ("/src/main.ts", "src/main.ts"),
        ("../../web/src/main.ts", "web/src/main.ts"),
        ("/deep/down/index.html", "index.html"),
        ("/", ""),
        ("", ""),
        ("/nothing.js", ""),
    ],
)
def test_the_longest_end_that_names_one_file_counts(path: str, found: str) -> None:
    assert RepositoryFiles(FILES).find(path) == found


@given(st.lists(st.sampled_from(["a", "b", "c/a", "a/b", "b/a/b"]), unique=True), st.text("ab/"))
def test_what_is_found_is_one_of_the_files_and_ends_alike(paths: list[str], path: str) -> None:
    found = RepositoryFiles(paths).find(path)
    assert found == "" or (
        found in paths and found.split("/")[-1] == path.rstrip("/").split("/")[-1]
    )


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://h:1/a%20b.js?x=1#y", "/a b.js"),
        ("webpack://app/./src/a.ts", "app//./src/a.ts"),
        ("../src/a.ts", "/../src/a.ts"),
        ("file:///home/u/a.js", "//home/u/a.js"),
        ("data:text/javascript,1", ""),
        ("blob:http://h/1", ""),
        ("chrome-extension://abc/a.js", ""),
        ("http://[", ""),
    ],
)
def test_urls_have_paths(url: str, path: str) -> None:
    assert path_of(url) == path


async def test_frames_are_mapped_by_their_urls() -> None:
    rows = await StackMapper(lambda: FILES).map(
        [frame("http://h/static/js/app.js?v=1"), frame("x")]
    )
    assert rows[0] == {
        "function": "f",
        "url": "http://h/static/js/app.js?v=1",
        "path": "static/js/app.js",
        "line": 3,
        "column": 5,
    }
    assert rows[1]["path"] == ""


async def test_a_source_map_is_more_exact_and_is_read_once() -> None:
    asked: list[str] = []

    async def fetch(url: str) -> str | None:
        asked.append(url)
        return source_map(";;AAEE", sources=["webpack://app/./web/src/main.ts"])

    mapper = StackMapper(lambda: FILES, fetch)
    rows = await mapper.map(
        [frame("http://h/static/js/app.js"), frame("http://h/static/js/app.js", 9)]
    )
    assert [(row["path"], row["line"], row["column"]) for row in rows] == [
        ("web/src/main.ts", 3, 3),
        ("static/js/app.js", 9, 5),
    ]
    assert asked == ["http://h/static/js/app.js"]


@pytest.mark.parametrize("text", [None, "", "{", source_map("!"), "x" * 300_000])
async def test_a_map_that_is_missing_or_broken_leaves_the_url(text: str | None) -> None:
    async def fetch(_url: str) -> str | None:
        return text

    [row] = await StackMapper(lambda: FILES, fetch).map([frame("http://h/static/js/app.js", 1)])
    assert (row["path"], row["line"]) == ("static/js/app.js", 1)


async def test_files_are_looked_at_again_when_they_are_others() -> None:
    lists = [["a.js"], ["b/a.js"]]
    mapper = StackMapper(lambda: lists.pop(0))
    assert [(await mapper.map([frame("http://h/a.js")]))[0]["path"] for _ in range(2)] == [
        "a.js",
        "b/a.js",
    ]


async def test_only_a_few_maps_are_read_for_one_call() -> None:
    asked: list[str] = []

    async def fetch(url: str) -> str | None:
        asked.append(url)
        return None

    await StackMapper(list, fetch).map([frame(f"http://h/{n}.js") for n in range(100)])
    assert len(asked) == 10
