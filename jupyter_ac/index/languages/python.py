"""Python; relative imports, packages, namespace packages, `src` folders, scripts."""

import re
from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import ANY_NAME, Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree, ancestors, folder_of, name_of, nearest
from jupyter_ac.index.records import Import, Symbol

_SOURCE_FOLDERS: Final = ("src", "lib", "python")
_STANDARD_TEXT: Final = """
    abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath
    cmd code codecs collections colorsys compileall concurrent configparser contextlib
    contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis
    doctest email encodings enum errno faulthandler fcntl filecmp fileinput fnmatch fractions
    ftplib functools gc getopt getpass gettext glob grp gzip hashlib heapq hmac html http
    imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma
    mailbox marshal math mimetypes mmap multiprocessing netrc numbers operator optparse os
    pathlib pdb pickle pkgutil platform plistlib poplib posix posixpath pprint profile pstats
    pty pwd pyclbr pydoc queue quopri random re readline resource runpy sched secrets select
    selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat
    statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile
    tempfile termios test textwrap threading time timeit tkinter token tokenize tomllib trace
    traceback tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv warnings
    wave weakref webbrowser winreg wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
"""
_STANDARD: Final = frozenset(_STANDARD_TEXT.split())


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return what a Python import leads to."""
    stem = _relative(path, line) if line.level else _absolute(tree, path, line)
    if stem is None:
        return _outside(line)
    module = _module(tree, stem)
    parts = [_module(tree, _join(stem, there)) for there, _ in line.names]
    files = [module] if module else []
    bindings = []
    for (there, here), part in zip(line.names, parts, strict=True):
        if there == "*":
            continue
        if module or not part:
            bindings.append(Binding(here, there, (module,) if module else ()))
        if part:
            bindings.append(Binding(here, "", (part,)))
    files = [part for part in parts if part] + files
    if line.alias:
        bindings.append(Binding(line.alias, "", (module,) if module else ()))
    elif not line.names:
        bindings.extend(_first_part(tree, stem, line))
    if module and not line.names and not line.alias and "." in line.module:
        bindings.append(Binding(ANY_NAME, "", (module,)))
    opened = (module,) if module and any(there == "*" for there, _ in line.names) else ()
    return ImportTarget(tuple(dict.fromkeys(files)), tuple(bindings), opened)


def _first_part(tree: PathTree, stem: str, line: Import) -> list[Binding]:
    """`import a.b` makes `a` known; its own module is where the rest is taken off."""
    first, _, rest = line.module.partition(".")
    depth = rest.count(".") + 1 if rest else 0
    for _ in range(depth):
        stem = folder_of(stem)
    module = _module(tree, stem)
    return [Binding(first, "", (module,) if module else ())]


def _outside(line: Import) -> ImportTarget:
    here = [(there, name) for there, name in line.names if there != "*"]
    known = [Binding(name, there, ()) for there, name in here]
    if not line.names:
        known.append(Binding(line.alias or line.module.partition(".")[0], "", ()))
    return ImportTarget((), tuple(known))


def _relative(path: str, line: Import) -> str | None:
    folder = folder_of(path)
    for _ in range(line.level - 1):
        if not folder:
            return None
        folder = folder_of(folder)
    return _join(folder, line.module.replace(".", "/"))


def _absolute(tree: PathTree, path: str, line: Import) -> str | None:
    """Return the path of a module without its ending: below a folder that is no package."""
    below = line.module.replace(".", "/")
    first = below.partition("/")[0]
    for root in ancestors(folder_of(path)):
        if _is_package(tree, root):
            continue
        stem = _join(root, below)
        if _leads(tree, stem, line):
            return stem
        if first in _STANDARD:
            # Only the folder that the importing code itself is imported from comes before it.
            return None
    if first in _STANDARD:
        return None
    stems = [stem for stem in _elsewhere(tree, below) if _leads(tree, stem, line)]
    return nearest(stems, path) or None


def _elsewhere(tree: PathTree, below: str) -> list[str]:
    parts = below.split("/")
    found = []
    for at, part in enumerate(parts):
        head = "/".join(parts[: at + 1])
        for folder in tree.folders_named(part):
            if not _is_package(tree, folder) or _is_package(tree, folder_of(folder)):
                continue
            if folder == head or folder.endswith("/" + head):
                found.append(folder[: len(folder) - len(head)] + below)
    if len(parts) == 1:
        for name in _SOURCE_FOLDERS:
            found += [f"{folder}/{below}" for folder in tree.folders_named(name)]
    return found


def _leads(tree: PathTree, stem: str, line: Import) -> bool:
    if _module(tree, stem):
        return True
    return any(_module(tree, _join(stem, there)) for there, _ in line.names)


def _is_package(tree: PathTree, folder: str) -> bool:
    return _join(folder, "__init__.py") in tree


def _module(tree: PathTree, stem: str) -> str:
    for path in (_join(stem, "__init__.py"), stem + ".py", stem + ".pyi", stem + "/__init__.pyi"):
        if path in tree and name_of(path) != ".py":
            return path
    return ""


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name


def _is_public(symbol: Symbol) -> bool:
    return not symbol.name.startswith("_")


_COMPREHENSIONS: Final = frozenset(
    {
        "dictionary_comprehension",
        "generator_expression",
        "list_comprehension",
        "set_comprehension",
    }
)

_SUPER: Final = re.compile(r"super\([^()]{0,99}\)")

PYTHON: Final = Language(
    "python",
    (".py", ".pyi", ".pyw"),
    ("tree_sitter_python", "language"),
    declaring=(".pyi",),
    reading=Reading(dots_climb=True, is_super=_SUPER.fullmatch),
    names=NameRules(self_names=("self", "cls"), has_star_imports=True, is_public=_is_public),
    imports=ImportRules(
        find,
        is_same_in_folder=True,
        root_files=("__init__.py",),
        folder_stems=("__init__",),
        package_files=("__init__.py", "__init__.pyi"),
    ),
    syntax=COMMON._replace(scopes=_COMPREHENSIONS | {"function_definition", "lambda"}),
    has_docstrings=True,
    is_known_to_jedi=True,
)
