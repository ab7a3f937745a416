"""Finds the files of the working tree that a shell command names.

A command is split into words as a shell would do it, and each word is tried as a path. This finds
`python3 tools/strip.py`, `./run`, `--filter=a.jq`, absolute paths into the working tree, words that
begin with a variable (`$PWD/tools/x`), modules (`python -m x`), paths in options of interpreters
(`perl -Ilib`), the files that `make`, `npm` and similar programs read by default, the files that
commands in these name, and paths in code (`python -c`). A word is also resolved in each folder that
another word names: `cd tools && ./strip.py`.
"""

import json
import os
import re
import shlex
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

from jupyter_ac.git.interpreter_options import module_after, named_by_options, script_after

_MAX_BYTES: Final = 256 * 1024
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_BETWEEN: Final = re.compile(r"[^\w./~+@%-]+")
_LIFE: Final = ("pre", "", "post")
_DEEPEST: Final = 3
"""Maximum nesting of commands in commands: `sh -c '…'`."""

# `Path.expanduser` raises for an unknown user; this doesn't.
_expanded: Final = os.path.expanduser
_EXPANSION: Final = re.compile(r"^(?:\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}|\$\w+)(?=/)")
_PLACEHOLDER: Final = re.compile(r"^%[a-zA-Z]$")
_MAKERS: Final = frozenset({"make", "gmake", "just"})
_PYTHON: Final = re.compile(r"^(?:python[\d.]*|pypy[\d.]*)$")
_MODULE: Final = re.compile(r"^\w+(?:\.\w+)*$")
_CODE: Final = re.compile(r"[^\w./~+@%=$*:-]+")
_SUFFIXES: Final = (".py", ".js", ".mjs", ".cjs", ".pl", ".pm", ".rb", ".sh")
_MOST_FOLDERS: Final = 64
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
        root: the top of the working tree, where git runs commands; links resolved.
        command: a shell command, as in git's configuration.
    """
    plain = command.removeprefix("!").strip()
    # Some programs are started without a shell; then spaces are part of the file name.
    found = {path: None for path in _inside(root, root, plain) if os.path.lexists(root / path)}
    found.update(dict.fromkeys(_named(root, root, plain, _DEEPEST)))
    for folder in islice(_folders(root, plain), _MOST_FOLDERS):
        named = _named(root, root / folder, plain, _DEEPEST)
        found.update({path: None for path in named if (root / path).is_file()})
    return tuple(found)


def _folders(root: Path, command: str) -> Iterator[str]:
    """Yield the folders below the root that words of a command name, each once."""
    words = (option for word in _all_words(command, _DEEPEST) for option in _candidates(word))
    paths = (path.rstrip("/") for word in words for path in _inside(root, root, word))
    yield from dict.fromkeys(path for path in paths if (root / path).is_dir())


def _all_words(command: str, deepest: int) -> Iterator[str]:
    """Yield the words of a command and, recursively, those of code and commands within words."""
    for word in words_of(command):
        yield word
        if deepest and (inner := _code_in(word)):
            yield from _all_words(inner, deepest - 1)


def _code_in(word: str) -> str:
    """Return a word as a nested command; "" if it is a single word."""
    if any(letter.isspace() for letter in word):
        return word
    return " ".join(_CODE.split(word)) if _CODE.search(word) else ""


def runs_module(command: str) -> bool:
    """Return whether a command runs Python with a module or code: `python -m x`, `python -c …`."""
    words = list(_all_words(command, _DEEPEST))
    return any(
        _PYTHON.match(_base(word)) is not None
        and (module_after(words, at) is not None or _is_code_after(words, at))
        for at, word in enumerate(words)
    )


def words_of(command: str) -> list[str]:
    """Split a command into words as a shell would; at white space if its quotes don't match."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # a quote that isn't closed
        return command.split()


def _named(root: Path, base: Path, command: str, deepest: int) -> Iterator[str]:
    """Yield the paths below the root that a command names when it runs in `base`."""
    words = words_of(command)
    scripts = {script_after(words, at) for at in range(len(words))}
    is_first = True
    for at, word in enumerate(words):
        if set(word) <= set("();<>|&"):
            is_first = True
            continue
        if deepest and (inner := _code_in(word)):
            yield from _named(root, base, inner, deepest - 1)
        elif is_first and "/" not in word and "=" not in word:
            yield from _inside(root, root, shutil.which(word) or "")
            yield from _read_unasked(root, base, words, at, deepest)
        for name in named_by_options(words, at):
            yield from _inside(root, base, name)
        is_script = at in scripts
        if deepest < _DEEPEST or is_script:
            yield from _modules(root, base, word)
        for candidate in _candidates(word):
            for path in _inside(root, base, candidate):
                if _is_meant(root, path, candidate, is_script=is_script):
                    yield path
        # In `NAME=value program` the program is the first word after the assignments.
        is_first = is_first and "=" in word and "/" not in word.partition("=")[0]


def _read_unasked(
    root: Path, base: Path, words: Sequence[str], at: int, deepest: int
) -> Iterator[str]:
    """Yield the files that a program reads by default, and the files that commands in them name."""
    word = words[at]
    for name in _READ_BY_THEMSELVES.get(word, ()):
        yield from _inside(root, base, name)
    if not deepest:
        return
    if "package.json" in _READ_BY_THEMSELVES.get(word, ()):
        is_any = deepest == _DEEPEST and word != "npx"
        for script in scripts_of(base / "package.json", words[at + 1 :], is_any=is_any):
            yield from _named(root, base, script, deepest - 1)
    if word in _MAKERS:
        named = (base / name for name in named_by_options(words, at) if not name.endswith("/"))
        for recipes in (*named, *(base / name for name in _READ_BY_THEMSELVES[word])):
            for mentioned in words_in(recipes):
                with suppress(OSError):  # the name is too long
                    if (base / mentioned).is_file():
                        yield from _inside(root, base, mentioned)


def _modules(root: Path, base: Path, word: str) -> Iterator[str]:
    """Yield the files that code or an interpreter finds by a name without its suffix."""
    for end in _SUFFIXES if _MODULE.match(word) else ():
        for path in _inside(root, base, word.replace(".", "/") + end):
            if (root / path).is_file():
                yield path


def _is_code_after(words: Sequence[str], at: int) -> bool:
    options = takewhile(lambda word: word.startswith("-"), words[at + 1 :])
    return any(re.match(r"^-[a-zA-Z]*c", word) for word in options)


def _candidates(word: str) -> Iterator[str]:
    """Yield the paths that a word may contain."""
    if _PLACEHOLDER.match(word):
        return
    if not word.startswith("-"):
        yield word
    before, found, after = word.partition("=")
    if found and before:
        yield after
    elif word.startswith("-") and not word.startswith("--") and len(word) > len("-x"):
        yield word[2:]
    if word.startswith("@"):
        yield word[1:]


def _inside(root: Path, base: Path, word: str) -> Iterator[str]:
    """Yield the paths below the root that a word refers to: as written, and with links resolved."""
    place = _expanded(word)
    expansion = _EXPANSION.match(place)
    if expansion is not None:
        place = place[expansion.end() :].lstrip("/")
    elif place.startswith("/") and not os.path.lexists(place):
        # Splitting `$(…)/x` at a shell's separators leaves a path that only looks absolute.
        behind = place.lstrip("/")
        place = behind if os.path.lexists(root / behind) else place
    if not place or "\0" in place or place.startswith("-"):
        return
    named = Path(os.path.normpath(base / place))
    beside = os.path.realpath(named.parent) + os.sep + named.name
    for absolute in dict.fromkeys((str(named), beside, os.path.realpath(named))):
        if absolute != str(root) and Path(absolute).is_relative_to(root):
            path = os.path.relpath(absolute, root)
            yield f"{path}/" if place.endswith("/") else path


def _is_meant(root: Path, path: str, word: str, *, is_script: bool) -> bool:
    """Return whether a word is probably a path: by its form, or because the file exists."""
    if "/" in word or is_script:
        return True
    place = root / path
    return os.path.lexists(place) and not place.is_dir()


def _base(word: str) -> str:
    return word.rpartition("/")[2]


def scripts_of(manifest: Path, words: Collection[str], *, is_any: bool) -> Iterator[str]:
    """Yield the scripts of a `package.json` that a call of npm or a similar program may run.

    Args:
        manifest: the file; if it is missing there are no scripts.
        words: the arguments of the call.
        is_any: yield all scripts if the words name none.
    """
    try:
        found = json.loads(_text(manifest))
        scripts = found["scripts"].items()
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    commands = {name: text for name, text in scripts if isinstance(text, str)}
    named = [f"{when}{word}" for word in words for when in _LIFE if word in commands]
    if not named and is_any:
        named = list(commands)
    yield from (commands[name] for name in named if name in commands)


def words_in(recipes: Path) -> set[str]:
    """Return the words of a makefile or justfile, which may be paths; empty if it is missing."""
    try:
        words = _BETWEEN.split(_text(recipes))
    except OSError:
        return set()
    # `@`, `-` and `+` before a command are prefixes for make.
    return {word.lstrip("@+-") for word in words} - {"", ".", ".."}


def _text(place: Path) -> str:
    """Return the beginning of a regular file.

    Raises:
        OSError: the file doesn't exist or isn't a regular one.
    """
    with os.fdopen(os.open(place, _FLAGS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(os.fspath(place))
        return file.read(_MAX_BYTES).decode("utf-8", "replace")
