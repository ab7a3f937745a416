"""Git repositories of a given size, the same on every run."""

import os
from pathlib import Path
from random import Random
from typing import Final

from tests.support.repositories import RepositoryFolder, make_repository

PER_FOLDER: Final = 10
FUNCTIONS: Final = 8
CHANGED: Final = 5
STAGED: Final = 3
UNTRACKED: Final = 7
PAST: Final = 1_700_000_000
WORDS: Final = ("leaf", "root", "seed", "stem", "bark", "soil", "rain", "wind", "moss", "fern")


def make_project(root: Path, files: int, seed: int = 0) -> RepositoryFolder:
    """Make a repository of Python files of about 2 kB, some of them changed, staged or new.

    All times lie in the past: files as old as git's index are compared byte by byte by every
    `git status`, which no repository in use suffers from.

    Args:
        root: where; made.
        files: how many there are on disk, untracked ones included.
        seed: other seeds give other texts.
    """
    random = Random(seed)
    folder = make_repository(root)
    names = [name_of(number) for number in range(files)]
    tracked, untracked = names[:-UNTRACKED], names[-UNTRACKED:]
    for name in tracked:
        _write(folder, name, text_of(name, random))
    folder.commit("first")
    for name in tracked[:CHANGED]:
        folder.write(name, text_of(name, random))
    for name in tracked[CHANGED : CHANGED + STAGED]:
        folder.write(name, text_of(name, random))
        folder.git("add", name)
    for name in untracked:
        folder.write(name, text_of(name, random))
    return folder


def name_of(number: int) -> str:
    """Name the file of a number: ten to a folder."""
    word = WORDS[number % len(WORDS)]
    return f"garden/bed_{number // PER_FOLDER:03d}/{word}_{number:04d}.py"


def text_of(name: str, random: Random) -> str:
    """Write a module that looks like one."""
    lines = [f'"""What grows in {name}."""', ""]
    for number in range(FUNCTIONS):
        one, two = random.sample(WORDS, 2)
        lines += [
            "",
            f"def {one}_{number}({two}: int, depth: float = {random.random():.6f}) -> float:",
            f'    """Let {one} grow beside {two}, {random.randrange(10**6)} times."""',
            f"    height = {two} * {random.randrange(1000)} + depth",
            f"    return height - {random.random():.6f}",
            "",
        ]
    return "\n".join(lines)


def _write(folder: RepositoryFolder, name: str, text: str) -> None:
    os.utime(folder.write(name, text), (PAST, PAST))
