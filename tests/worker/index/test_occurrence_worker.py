"""Names in code, through a real index worker and its parser."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from jupyter_ac.workers.process import Worker
from tests.index.navigation.test_member_resolution import GO, C
from tests.support.index_worker import opened_index
from tests.support.repositories import make_repository

if TYPE_CHECKING:
    from jupyter_ac.index.navigation.rows import (
        Completion,
        HoverFound,
        PlacesFound,
        TargetFound,
    )

JS = {
    "src/a.js": "/**\n * Adds.\n *\n * Both.\n */\nexport function addAll(x) { return x }\n",
    "src/b.js": 'import * as sums from "./a"\nimport { addAll } from "./a"\n'
    "const all = [addAll]\nsums.addAll(1)\n",
}
FILES: dict[str, str | bytes] = {
    **GO,
    **C,
    **JS,
    "typing.go": 'package main\n\nimport "example.com/shop/store"\n\n'
    "func g(s *store.Store) {\n\ts.\n\tstore.\n}\n",
}


async def test_places_in_code_are_answered_by_what_the_code_says(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", FILES).root
    async with opened_index(root, tmp_path / "cache") as worker:
        await _definitions(worker)
        await _references(worker)
        await _completions(worker)


async def _definitions(worker: Worker) -> None:
    for place, file, line in [
        (("main.go", 7, 7), "store/store.go", 10),  # a method by the type of its object
        (("main.go", 7, 2), "main.go", 6),  # a local name
        (("main.c", 8, 6), "lib/pool.c", 3),  # the body rather than the declaration
        (("lib/pool.h", 2, 15), "lib/pool.c", 3),
        (("lib/pool.c", 3, 15), "lib/pool.c", 3),
    ]:
        found = cast("TargetFound", await worker.call("Index.definition", *place))
        assert (found["file"], found["range"]["startLineNumber"]) == (file, line), place
    for place, said in [
        (("main.c", 8, 6), "Takes one out."),  # what stands above the declaration
        (("src/b.js", 3, 14), "Adds.  \n  \nBoth."),
        (("main.go", 7, 2), "kept := store.New"),
    ]:
        hover = cast("HoverFound", await worker.call("Index.hover", *place))
        assert said in hover["contents"], place


async def _places(worker: Worker, *place: object) -> list[tuple[str, int, int, int]]:
    found = cast("PlacesFound", await worker.call("Index.references", *place))
    spots = [(each["file"], each["range"]) for each in found["places"]]
    return [(file, at["startLineNumber"], at["startColumn"], at["endColumn"]) for file, at in spots]


async def _references(worker: Worker) -> None:
    assert await _places(worker, "src/a.js", 6, 18) == [
        ("src/b.js", 2, 10, 16),
        ("src/b.js", 3, 14, 20),
        ("src/b.js", 4, 6, 12),
    ]
    # Of a file it is where imports name it, of a local name where that is used.
    whole = await _places(worker, "src/b.js", 1, 13)
    assert whole == [("src/b.js", 1, 26, 27), ("src/b.js", 2, 27, 28)]
    assert await _places(worker, "src/a.js", 6, 23) == [("src/a.js", 6, 36, 37)]


async def _completions(worker: Worker) -> None:
    for line, column, labels in [(6, 3, ["Get", "log", "Name"]), (7, 7, ["Log", "New", "Store"])]:
        rows = await worker.call("Index.completions", "typing.go", line, column, "")
        assert [row["label"] for row in cast("list[Completion]", rows)] == labels
