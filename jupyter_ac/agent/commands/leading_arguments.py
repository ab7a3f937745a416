"""Which commands can be allowed by their leading arguments, and which such a permission covers.

A permission for `pytest -q` covers `pytest -q tests/test_a.py`: the user decides once about
commands that aren't written yet. That is only sound where no further argument changes what runs.
So it is offered for programs of the table below alone, whose arguments are known, and for the rest
each command is asked for by itself, or allowed for the session as it stands.

- Never: shells, interpreters and what starts other programs by its arguments. `python -m pytest` is
  `python`: the next argument decides what runs, and options before `-m` would, too; `env`, `xargs`,
  `sudo`, `timeout`, `nice`, `npx`, `uv run`, `docker`, `ssh`, `find -exec` and `awk` run what they
  are told; `curl` and `wget` send something. None of them is in the table.
- Never: a program named by a path, which a command could replace.
- Programs with subcommands (`git diff`, `npm run test`): the permission holds the subcommand and
  follows the program at once, so that `git -c alias.x=… x` and `npm --prefix … test` are no match.
- Programs whose further words are subcommands again (`make test deploy`): the exact command.
- Others (`pytest -q`): the program and its first options, of those that take no value.
- An option that names a program or a module to run (`go test -exec`, `pytest -p`), or settings that
  do (`cargo --config`), and a file of further arguments (`@file`), are never covered.

Two words at least, in any case. A permission counts only for commands in the sandbox, because what
they run is the repository's code, which the model may have written: this module says what a
permission means, the sandbox what it can do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Options:
    """A program without subcommands.

    Attributes:
        flags: options without a value that may stand in a permission.
        refused: options that run something else, without their dashes.
    """

    flags: frozenset[str]
    refused: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Subcommands:
    """A program with subcommands.

    Attributes:
        names: that may be allowed.
        named: those whose next word is a name that decides what runs, such as npm's `run`.
        refused: options that run something else, without their dashes.
        ends_options: further arguments are covered only behind `--`, where they are the script's.
    """

    names: frozenset[str]
    named: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    ends_options: bool = False


@dataclass(frozen=True, slots=True)
class _Exact:
    """A program whose further words are things to do, too."""


_Rule: TypeAlias = _Options | _Subcommands | _Exact

_QUIET: Final = frozenset({"-q", "-v", "--quiet", "--verbose"})
_PYTEST: Final = _Options(
    _QUIET
    | frozenset({"-qq", "-vv", "-vvv", "-x", "-s", "-l", "--exitfirst", "--showlocals", "--lf"})
    | frozenset({"--last-failed", "--ff", "--failed-first", "--nf", "--sw", "--no-header"})
    | frozenset({"--no-summary", "--collect-only", "--co", "--strict-markers", "--strict-config"}),
    frozenset({"p", "c", "o", "config-file", "override-ini", "pdbcls"}),
)
_SCRIPTS: Final = _Subcommands(
    frozenset({"test"}), named=frozenset({"run", "run-script"}), ends_options=True
)

_RULES: Final[Mapping[str, _Rule]] = {
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "mypy": _Options(
        frozenset({"--strict", "--pretty", "--no-incremental", "-v", "--verbose"}),
        frozenset({"python-executable", "install-types", "config-file"}),
    ),
    "flake8": _Options(
        _QUIET | frozenset({"--statistics", "--count", "--show-source"}),
        frozenset({"config", "append-config"}),
    ),
    "black": _Options(_QUIET | frozenset({"--check", "--diff"})),
    "isort": _Options(_QUIET | frozenset({"--check", "--check-only", "--diff", "-c"})),
    "tsc": _Options(frozenset({"--noEmit", "--strict", "--pretty", "-b", "--build"})),
    "eslint": _Options(
        frozenset({"--quiet", "--fix", "--fix-dry-run", "--no-color"}),
        frozenset({"c", "f", "config", "format", "parser", "plugin", "rulesdir"})
        | frozenset({"resolve-plugins-relative-to"}),
    ),
    "prettier": _Options(
        frozenset({"--check", "-c", "--write", "-w", "--list-different", "-l"}),
        frozenset({"config", "plugin", "plugin-search-dir"}),
    ),
    "phpunit": _Options(
        frozenset({"--testdox", "--stop-on-failure", "--no-coverage"}),
        frozenset({"c", "d", "bootstrap", "configuration", "extension", "include-path"})
        | frozenset({"printer"}),
    ),
    "rspec": _Options(
        frozenset({"--fail-fast", "--only-failures", "--profile"}),
        frozenset({"r", "I", "O", "f", "require", "options", "format"}),
    ),
    "ruff": _Subcommands(frozenset({"check", "format", "rule", "version"})),
    "coverage": _Subcommands(
        frozenset({"report", "html", "xml", "json", "lcov", "combine"}),
        refused=frozenset({"rcfile"}),
    ),
    "cargo": _Subcommands(
        frozenset({"test", "check", "clippy", "build", "fmt", "doc", "bench", "tree"}),
        refused=frozenset({"config", "manifest-path"}),
    ),
    "go": _Subcommands(
        frozenset({"test", "build", "vet", "fmt", "list", "doc"}),
        refused=frozenset({"exec", "toolexec", "vettool", "compiler", "overlay", "modfile"}),
    ),
    "git": _Subcommands(
        frozenset({"status", "diff", "log", "show", "blame", "ls-files", "shortlog"}),
        refused=frozenset({"ext-diff", "textconv", "output"}),
    ),
    "npm": _SCRIPTS,
    "pnpm": _SCRIPTS,
    "yarn": _SCRIPTS,
    "bun": _SCRIPTS,
    **dict.fromkeys(
        (
            *("make", "gmake", "ninja", "just", "task", "rake", "gulp", "grunt", "ant", "gradle"),
            *("mvn", "tox", "nox", "invoke", "inv", "sbt", "lein"),
        ),
        _Exact(),
    ),
}

_MAX_PREFIX: Final = 12
"""Arguments of a permission; a longer command isn't one that anybody reads."""


def grantable_prefix(argv: Sequence[str]) -> Words:
    """Return the leading arguments of a command that may be allowed from now on.

    Args:
        argv: the arguments, the program first.

    Returns:
        Two arguments at least, which `matches` the command; () where that isn't offered.
    """
    rule = _RULES.get(argv[0]) if argv else None
    if rule is None:
        return ()
    prefix = _prefix(rule, tuple(argv))
    is_whole = 1 < len(prefix) <= _MAX_PREFIX and all(prefix)
    return prefix if is_whole and _covers(rule, prefix, tuple(argv)) else ()


def matches(prefix: Sequence[str], argv: Sequence[str]) -> bool:
    """Return whether a permission covers a command.

    A permission that `grantable_prefix` would not have returned covers nothing, wherever it comes
    from.

    Args:
        prefix: the leading arguments that were allowed.
        argv: the command's arguments, the program first.
    """
    wanted, given = tuple(prefix), tuple(argv)
    if not wanted or grantable_prefix(wanted) != wanted:
        return False
    return _covers(_RULES[wanted[0]], wanted, given)


def _prefix(rule: _Rule, argv: Words) -> Words:
    if isinstance(rule, _Exact):
        return argv
    if isinstance(rule, _Options):
        return (argv[0], *takewhile(lambda word: word in rule.flags, argv[1:]))
    if len(argv) > 1 and argv[1] in rule.names:
        return argv[:2]
    match argv:
        case (_, verb, script, *_) if verb in rule.named and script[:1] not in {"", "-"}:
            return argv[:3]
    return ()


def _covers(rule: _Rule, prefix: Words, argv: Words) -> bool:
    if argv[: len(prefix)] != prefix:
        return False
    further = argv[len(prefix) :]
    if isinstance(rule, _Exact):
        return not further
    if isinstance(rule, _Subcommands) and rule.ends_options:
        return not further or further[0] == "--"
    return not any(_runs_another(word, rule.refused) for word in further)


def _runs_another(word: str, refused: frozenset[str]) -> bool:
    """Return whether an argument may be one of these options, or a file of options.

    Long ones may be shortened; short ones may stand together, or before their value (`-xp`, `-px`).
    """
    if word.startswith("@"):
        return True
    name = word.lstrip("-").partition("=")[0]
    if name == word or not name:
        return False
    if word.startswith("--"):
        return any(one.startswith(name) for one in refused)
    return name in refused or any(len(one) == 1 and one in name for one in refused)
