import time
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.search.output import Row, SearchRows
from jupyter_ac.git.search.verification import keep_own
from tests.support.repositories import make_repository

LONG = "x" * 3_000_000


def found(**rows: Row) -> SearchRows:
    made = SearchRows()
    made.files = {name.encode(): [row] for name, row in rows.items()}
    return made


async def test_only_lines_that_the_file_itself_holds_are_kept(tmp_path: Path) -> None:
    texts: dict[str, str | bytes] = {"a": "1\ntwo\n", "b": "1\n", "c": f"{LONG}end{LONG}\n"}
    folder = make_repository(tmp_path / "r", texts)
    (folder.root / "d").symlink_to("/etc/passwd")
    repository = await discover(folder.root)
    rows = {
        "a": Row(2, matches=True, text="two"),
        "b": Row(1, matches=True, text="root:x:0"),
        "c": Row(1, matches=True, text="…xendx"),
        "d": Row(1, matches=True, text="root"),
        "e": Row(1, matches=True, text="gone"),
    }
    read = found(**rows)
    keep_own(repository, read, time.time())
    assert sorted(read.files) == [b"a", b"c"]


async def test_folders_that_have_long_been_calm_are_not_looked_into(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"b": "1\n"})
    read = found(b=Row(1, matches=True, text="as git says"))
    keep_own(await discover(folder.root), read, time.time() + 1000)
    assert sorted(read.files) == [b"b"]
