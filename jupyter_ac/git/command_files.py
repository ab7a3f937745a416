"""Which files of the working tree a shell command names.

A command is split into words as a shell would, and each word is taken for a path where it can be
one. That finds `python3 tools/strip.py`, `./run`, `--filter=a.jq`, absolute paths that lead into
the working tree, words that begin with a variable (`$PWD/tools/x`), modules (`python -m x`) and
the files that `make`, `npm` and their like read without being told.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

_DEEPEST: Final = 3
"""Commands within commands: `sh -c '…'`."""

# `Path.expanduser` fails for a user that there isn't.
_expanded: Final = os.path.expanduser
_EXPANSION: Final = re.compile(r"^(?:\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}|\$\w+)(?=/)")
_PLACEHOLDER: Final = re.compile(r"^%[a-zA-Z]$")
_INTERPRETER: Final = re.compile(r"^(?:python[\d.]*|pypy[\d.]*|node|ruby|perl|bash|sh|zsh|dash)$")
_PYTHON: Final = re.compile(r"^(?:python[\d.]*|pypy[\d.]*)$")
_MODULE: Final = re.compile(r"^\w+(?:\.\w+)*$")
_READ_BY_THEMSELVES: Final[Mapping[str, tuple[str, ...]]] = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "gmake": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "npm": ("package.json", "node_modules"),
    "npx": ("package.json", "node_modules"),
    "yarn": ("package.json", "node_modules", ".yarnrc.yml"),
    "pnpm": ("package.json", "node_modules", ".pnpmfile.cjs"),
    "bun": ("package.json", "node_modules"),
    "deno": ("deno.json", "deno.jsonc"),
    "uv": ("pyproject.toml", "uv.toml"),
    "poetry": ("pyproject.toml",),
    "pipenv": ("Pipfile",),
    "hatch": ("pyproject.toml",),
    "tox": ("tox.ini", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "rake": ("Rakefile",),
    "bundle": ("Gemfile",),
    "cargo": ("Cargo.toml", ".cargo"),
    "go": ("go.mod",),
}


def files_named(root: Path, command: str) -> tuple[str, ...]:
    """Return the paths below a folder that a command names, whether or not they exist.

    Args:
        root: the working tree's top, where git runs commands; links resolved.
        command: for a shell, as a configuration has it.
    """
    plain = command.removeprefix("!").strip()
    # Some are started without a shell: blanks are part of a name then.
    found = {path: None for path in _inside(root, plain) if os.path.lexists(root / path)}
    found.update(dict.fromkeys(_named(root, plain, _DEEPEST)))
    return tuple(found)


def runs_module(command: str) -> bool:
    """Tell whether a command has Python run a module by its name, `python -m x`."""
    words = words_of(command)
    return any(
        _PYTHON.match(_base(word)) is not None and _module_after(words, at) is not None
        for at, word in enumerate(words)
    )


def words_of(command: str) -> list[str]:
    """Return a command's words as a shell would split it; by white space where it could not."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # a quote that isn't closed
        return command.split()


def _named(root: Path, command: str, deepest: int) -> Iterator[str]:
    words = words_of(command)
    is_first = True
    for at, word in enumerate(words):
        if set(word) <= set("();<>|&"):
            is_first = True
            continue
        if any(letter.isspace() for letter in word) and deepest:
            yield from _named(root, word, deepest - 1)
        elif is_first and "/" not in word and "=" not in word:
            yield from _program(root, words, at)
        is_after_interpreter = at > 0 and _INTERPRETER.match(_base(words[at - 1])) is not None
        for candidate in _candidates(word):
            for path in _inside(root, candidate):
                if _is_meant(root, path, candidate, is_script=is_after_interpreter):
                    yield path
        # `NAME=value program` begins with what the program is given.
        is_first = is_first and "=" in word and "/" not in word.partition("=")[0]


def _program(root: Path, words: Sequence[str], at: int) -> Iterator[str]:
    """Give what a program's name stands for: on PATH, and what it reads unasked."""
    word = words[at]
    found = shutil.which(word)
    if found is not None:
        yield from _inside(root, found)
    yield from _READ_BY_THEMSELVES.get(word, ())
    if _PYTHON.match(word):
        module = _module_after(words, at)
        if module is not None:
            place = module.replace(".", "/")
            yield f"{place}.py"
            yield f"{place}/"


def _module_after(words: Sequence[str], at: int) -> str | None:
    for following, word in enumerate(words[at + 1 :], at + 2):
        if word == "-m" and following < len(words):
            return words[following] if _MODULE.match(words[following]) else None
        if not word.startswith("-"):
            return None
        if re.match(r"^-[a-zA-Z]*m\w", word):
            module = word.partition("m")[2]
            return module if _MODULE.match(module) else None
    return None


def _candidates(word: str) -> Iterator[str]:
    """Give the paths that a word may hold."""
    if _PLACEHOLDER.match(word):
        return
    if not word.startswith("-"):
        yield word
    before, found, after = word.partition("=")
    if found and before:
        yield after
    elif word.startswith("-") and not word.startswith("--") and "/" in word:
        yield word[2:]
    if word.startswith("@"):
        yield word[1:]


def _inside(root: Path, word: str) -> Iterator[str]:
    """Give the paths below the root that a word means: by its spelling, and where links lead."""
    place = _expanded(word)
    expansion = _EXPANSION.match(place)
    if expansion is not None:
        place = place[expansion.end() :].lstrip("/")
    if not place or "\0" in place or place.startswith("-"):
        return
    spelt = Path(os.path.normpath(root / place))
    beside = os.path.realpath(spelt.parent) + os.sep + spelt.name
    for absolute in dict.fromkeys((str(spelt), beside, os.path.realpath(spelt))):
        if absolute != str(root) and Path(absolute).is_relative_to(root):
            path = os.path.relpath(absolute, root)
            yield f"{path}/" if place.endswith("/") else path


def _is_meant(root: Path, path: str, word: str, *, is_script: bool) -> bool:
    """Tell whether a word surely or probably is a path: by its form, or because it is there."""
    if "/" in word or is_script:
        return True
    place = root / path
    return os.path.lexists(place) and not place.is_dir()


def _base(word: str) -> str:
    return word.rpartition("/")[2]
