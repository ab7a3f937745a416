"""Tables of interpreter and build tool options that name files, modules, or module folders.

The meaning depends on the program: `-Ilib` names a folder for perl and ruby, `-r x` a module for
ruby and node, `-f x` a file for make. A module search folder counts as a whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

Names = Callable[[str], Iterable[str]]
"""Returns the paths that an option's value may refer to; folders end in `/`."""

_PYTHON: Final = re.compile(r"^(?:python[\d.]*|pypy[\d.]*)$")
_MODULE: Final = re.compile(r"^\w+(?:\.\w+)*$")
_VERSION: Final = re.compile(r"(?<=[a-z])[\d.]+$")
_INTERPRETER: Final = re.compile(
    r"^(?:python[\d.]*|pypy[\d.]*|node|nodejs|ruby[\d.]*|perl[\d.]*|bash|sh|zsh|dash|ksh|php[\d.]*"
    r"|lua[\d.]*|tclsh[\d.]*|Rscript|ts-node|tsx)$"
)
_CODE: Final = re.compile(r"^(?:-[a-zA-Z]*[ce]|--eval|--print|-p|-R)(?:=|$)")
_RUNS_MODULE: Final = re.compile(r"^-[a-zA-Z]*m")
_VALUED: Final = frozenset({"-W", "-X", "--check-hash-based-pycs"})
"""Options of Python whose value is the next word."""

_NODE_ENDS: Final = ("", ".js", ".cjs", ".mjs", ".json", ".ts", "/")


def _file(value: str) -> list[str]:
    return [value]


def _folders(value: str) -> list[str]:
    return [f"{folder.rstrip('/')}/" for folder in value.split(":") if folder.strip("/")]


def _perl_module(value: str) -> list[str]:
    name = re.split(r"[=\s]", value.lstrip("-"), maxsplit=1)[0]
    return [name.replace("::", "/") + ".pm"]


def _ruby_library(value: str) -> list[str]:
    return [value if value.endswith(".rb") else f"{value}.rb"]


def _node_module(value: str) -> list[str]:
    is_path = value.startswith((".", "/"))
    start = value if is_path else f"node_modules/{value}"
    return [start + end for end in _NODE_ENDS]


_NODE: Final[Mapping[str, Names]] = {
    **dict.fromkeys(("-r", "--require", "--import", "--loader"), _node_module),
    **dict.fromkeys(("--experimental-loader", "--test-reporter"), _node_module),
    **dict.fromkeys(("--env-file", "--env-file-if-exists"), _file),
}
_MAKE: Final[Mapping[str, Names]] = {
    **dict.fromkeys(("-f", "--file", "--makefile"), _file),
    **dict.fromkeys(("-C", "--directory", "-I", "--include-dir"), _folders),
}
_SHELL: Final[Mapping[str, Names]] = dict.fromkeys(("--rcfile", "--init-file"), _file)
_OPTIONS: Final[Mapping[str, Mapping[str, Names]]] = {
    "perl": {"-I": _folders, "-M": _perl_module, "-m": _perl_module},
    "ruby": {"-I": _folders, "-r": _ruby_library, "--require": _ruby_library},
    **dict.fromkeys(("node", "nodejs", "tsx", "ts-node", "bun"), _NODE),
    **dict.fromkeys(("make", "gmake"), _MAKE),
    **dict.fromkeys(("bash", "sh", "zsh", "dash"), _SHELL),
    "php": {"-f": _file, "-d": lambda value: [value.partition("auto_prepend_file=")[2]]},
}


def named_by_options(words: Sequence[str], at: int) -> Iterator[str]:
    """Yield the paths named by the options after a program, whether or not they exist.

    Args:
        words: the words of a command.
        at: index of the program.
    """
    base = words[at].rpartition("/")[2]
    if _PYTHON.match(base):
        module = module_after(words, at)
        if module is not None:
            place = module.replace(".", "/")
            yield from (f"{place}.py", f"{place}/")
        return
    options = _OPTIONS.get(_VERSION.sub("", base), {})
    for following, word in enumerate(words[at + 1 :], at + 2):
        for option, names in options.items():
            value = _value(word, option, words[following] if following < len(words) else "")
            yield from filter(None, names(value)) if value else ()


def _value(word: str, option: str, following: str) -> str:
    """Return an option's value, from the same word or the next; "" if the word isn't the option."""
    if word == option:
        return following
    if option.startswith("--"):
        return word.removeprefix(f"{option}=") if word.startswith(f"{option}=") else ""
    return word.removeprefix(option) if word.startswith(option) else ""


def script_after(words: Sequence[str], at: int) -> int | None:
    """Return the index of the script that an interpreter runs; None if it runs none.

    Args:
        words: the words of a command.
        at: index of the program, which need not be an interpreter.
    """
    base = words[at].rpartition("/")[2]
    if not _INTERPRETER.match(base):
        return None
    options = _OPTIONS.get(_VERSION.sub("", base), {})
    is_value = False
    for following, word in enumerate(words[at + 1 :], at + 1):
        if is_value:
            is_value = False
        elif not word.startswith("-"):
            return following
        elif _CODE.match(word) or (_PYTHON.match(base) and _RUNS_MODULE.match(word)):
            return None
        else:
            is_value = word in options or word in _VALUED
    return None


def module_after(words: Sequence[str], at: int) -> str | None:
    """Return the module that Python runs by name; None if it runs something else."""
    is_value = False
    for following, word in enumerate(words[at + 1 :], at + 2):
        if is_value:
            is_value = False
            continue
        if word == "-m" and following < len(words):
            return words[following] if _MODULE.match(words[following]) else None
        if not word.startswith("-"):
            return None
        if _RUNS_MODULE.match(word):
            module = word.partition("m")[2]
            return module if _MODULE.match(module) else None
        is_value = word in _VALUED
    return None
