"""Repositories made of Python's own library."""

import re
import shutil
import sysconfig
from pathlib import Path
from typing import Final

from tests.support.repositories import RepositoryFolder, make_repository

_DEFINED: Final = re.compile(rb"\b(def|class)([ \t]+)(\w+)")


def library_files() -> list[Path]:
    """Return the files of the library, without what is installed beside it."""
    root = Path(sysconfig.get_path("stdlib"))
    found = root.rglob("*.py")
    return sorted(
        file for file in found if "site-packages" not in file.parts and not file.is_symlink()
    )


def make_library(root: Path) -> RepositoryFolder:
    """Make a repository of the library as it is."""
    folder = make_repository(root)
    top = Path(sysconfig.get_path("stdlib"))
    for file in library_files():
        place = root / file.relative_to(top)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    folder.commit()
    return folder


def make_libraries(root: Path, count: int) -> RepositoryFolder:
    """Make a repository of so many files: the library again and again, under other names."""
    folder = make_repository(root)
    top = Path(sysconfig.get_path("stdlib"))
    files = library_files()
    for number in range(count):
        copy, at = divmod(number, len(files))
        place = root / f"copy_{copy:02}" / files[at].relative_to(top)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_DEFINED.sub(rb"\1\2\3_%02d" % copy, files[at].read_bytes()))
    folder.git("add", "-A")
    folder.git("commit", "--quiet", "-m", "first")
    return folder
