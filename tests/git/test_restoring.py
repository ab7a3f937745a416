from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.restoring import restore
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import committed, make_repository


async def test_files_come_back_as_git_would_write_them(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {".gitattributes": "*.t text eol=crlf\n", "run": "r\n"}
    )
    (folder.root / "run").chmod(0o755)
    (folder.root / "link").symlink_to("run")
    folder.write("d/x.t", "1\n2\n")
    folder.write("d/deep/y", "1\n")
    folder.commit()
    for name in ("run", "link", "d/x.t", "d/deep/y"):
        (folder.root / name).unlink()
    (folder.root / "d/deep").rmdir()
    (folder.root / "d/deep").symlink_to("../..")
    (folder.root / "run/empty").mkdir(parents=True)
    wanted = committed(folder, "run", "link", "d/x.t", "d/deep/y")
    await restore(Git(await discover(folder.root)), wanted, wanted)
    assert folder.git("status", "--porcelain") == ""
    assert (folder.root / "d/x.t").read_bytes() == b"1\r\n2\r\n"
    assert (folder.root / "run").stat().st_mode & 0o111
    assert (folder.root / "link").readlink() == Path("run")
    assert not list((folder.root / ".git").glob("jupyter_ac-*"))
