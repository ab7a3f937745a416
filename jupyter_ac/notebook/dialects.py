"""The syntax of percent text in a kernel's language: comment sign and magics.

A line of code that could be read as a magic or a cell marker is escaped by one comment level. So is
each line that already looks like such a comment: reading removes one level, and every line is
restored exactly.
"""

import re
from functools import cache
from typing import Final, NamedTuple

_DEFAULT: Final = "python"
_NAMES: Final = {
    "ipython": "python",
    "python3": "python",
    "c++": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "f#": "fsharp",
    "fs": "fsharp",
    "shell": "bash",
    "sh": "bash",
    "node": "javascript",
    "js": "javascript",
    "wolfram": "wolfram language",
    "mathematica": "wolfram language",
}
_CPP_STANDARD: Final = re.compile(r"c\+\+\d+")

_LINE_COMMENTS: Final = {
    **dict.fromkeys(
        (
            *("python", "coconut", "sage", "xonsh", "r", "julia", "bash", "powershell", "sos"),
            *("tcl", "gnuplot", "robotframework", "ruby", "perl", "elixir", "nushell"),
        ),
        "#",
    ),
    **dict.fromkeys(
        (
            *("cpp", "c", "javascript", "typescript", "java", "scala", "kotlin", "groovy"),
            *("csharp", "fsharp", "go", "rust", "swift", "php", "dart", "zig", "stata"),
        ),
        "//",
    ),
    **dict.fromkeys(("haskell", "lua", "sql", "ada", "elm"), "--"),
    **dict.fromkeys(("scheme", "clojure", "lisp", "common-lisp", "racket", "emacs-lisp"), ";;"),
    **dict.fromkeys(("matlab", "octave", "logtalk", "prolog", "erlang"), "%"),
    "idl": ";",
    "q": "/",
    "fortran": "!",
}
_BLOCK_COMMENTS: Final = {
    **dict.fromkeys(("ocaml", "wolfram language"), ("(*", "*)")),
    **dict.fromkeys(("maxima", "sas", "jenner"), ("/*", "*/")),
}
_WITHOUT_MAGICS: Final = frozenset({"matlab", "octave", "logtalk", "prolog", "erlang", "sql"})

_MAGIC: Final = r"%{1,3}[a-zA-Z]"
_MAGICS: Final = {
    # Also shell commands, help requests, and assignments of their results.
    "python": rf"{_MAGIC}|[?!]\s*+[A-Za-z.~$\\/{{}}]|(?!\#)(?:[^\s?]*+\?)++\s*+$"
    rf"|[a-zA-Z_]\w*+\s*+=\s*+(?:%{{1,3}}|!)[a-zA-Z]",
    "go": rf"{_MAGIC}|!\*?[a-zA-Z]",
    "rust": ":[a-zA-Z]",
    "csharp": "#![a-zA-Z]",
}
_SHELL_COMMANDS: Final = (
    r"(?:cat|cd|cp|mv|rm|rmdir|mkdir|copy|ddir|echo|ls|ldir|ren)(?:$|\s$|\s[^=,])"
)
"""IPython runs these at the beginning of a line without a prefix."""
_NEVER: Final = r"(?!)"

_LANGUAGE_MAGICS: Final = frozenset(
    (
        *("R", "bash", "sh", "script", "python", "python2", "python3", "pypy", "cython", "coconut"),
        *("javascript", "js", "typescript", "html", "svg", "latex", "markdown", "perl", "ruby"),
        *("julia", "matlab", "octave", "sql", "spark", "haskell", "scala", "java", "go", "rust"),
        *("csharp", "fsharp", "powershell", "q", "sos", "idl", "sas", "tcl", "gnuplot", "lua"),
    )
)


class Dialect(NamedTuple):
    """The syntax of percent text for one language.

    Attributes:
        language: of the code, as named by `notebook_language`.
        start: of a comment.
        end: of a comment; "" if comments end with their line.
        marker: for `is_marker`.
        reserved: for `is_reserved`.
        reserved_quoted: for `is_reserved`, quoted.
        reserved_text: for `is_reserved_text`.
        magic: for `is_magic`.
    """

    language: str
    start: str
    end: str
    marker: re.Pattern[str]
    reserved: re.Pattern[str]
    reserved_quoted: re.Pattern[str]
    reserved_text: re.Pattern[str]
    magic: re.Pattern[str]

    def comment(self, line: str) -> str:
        """Return a line as a comment."""
        return " ".join(part for part in (self.start, line, self.end) if part)

    def uncomment(self, line: str) -> str:
        """Return the content of a comment; other lines are returned unchanged."""
        if line == self.comment(""):
            return ""
        if not line.startswith(f"{self.start} "):
            return line
        inner = line[len(self.start) + 1 :]
        return inner.removesuffix(f" {self.end}") if self.end else inner

    def is_marker(self, line: str) -> bool:
        """Return whether a line begins a cell."""
        return _fits(self.marker, line)

    def is_magic(self, line: str) -> bool:
        """Return whether a line of code is a magic."""
        return _fits(self.magic, line)

    def is_reserved(self, line: str, *, is_quoted: bool) -> bool:
        """Return whether a line of code must be escaped by one comment level.

        Args:
            line: of code, or in its written form.
            is_quoted: whether it is inside a multi-line string, where nothing is a magic.
        """
        return _fits(self.reserved_quoted if is_quoted else self.reserved, line)

    def is_reserved_text(self, line: str) -> bool:
        """Return the same for lines that are comments anyway."""
        return _fits(self.reserved_text, line)

    def is_other_language(self, magic: str) -> bool:
        """Return whether a cell magic switches to another language than the kernel's."""
        return magic in _LANGUAGE_MAGICS and magic.lower() != self.language


def notebook_language(metadata: object) -> str:
    """Return the language of a notebook's code in lower case; Python by default.

    Args:
        metadata: of the notebook.
    """
    members = metadata if isinstance(metadata, dict) else {}
    for part, key in (
        ("kernelspec", "language"),
        ("language_info", "name"),
        ("kernelspec", "name"),
    ):
        inner = members.get(part)
        found = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(found, str) and found:
            return _canonical(found)
    return _DEFAULT


@cache
def dialect_of(language: str) -> Dialect:
    """Return the syntax for a language; comments of unknown ones begin with "#"."""
    start, end = _BLOCK_COMMENTS.get(language) or (_LINE_COMMENTS.get(language, "#"), "")
    comment = re.escape(f"{start} ")
    marker = rf"{comment}%%(?:\s|$)"
    has_magics = language in _LINE_COMMENTS and language not in _WITHOUT_MAGICS
    magic = _MAGICS.get(language, _MAGIC) if has_magics else _NEVER
    shell = _SHELL_COMMANDS if language == _DEFAULT else _NEVER
    return Dialect(
        language,
        start,
        end,
        marker=_compiled(marker),
        reserved=_compiled(
            rf"(?:{comment})*{marker}|\s*+(?:{comment})*+(?:{magic})|(?:{comment})*+(?:{shell})"
        ),
        reserved_quoted=_compiled(rf"(?:{comment})*{marker}"),
        reserved_text=_compiled(rf"(?:{comment})*%%(?:\s|$)"),
        magic=_compiled(rf"\s*+(?:{magic})|(?:{shell})"),
    )


def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.ASCII)


def _fits(pattern: re.Pattern[str], line: str) -> bool:
    return pattern.match(line) is not None


def _canonical(name: str) -> str:
    small = name.lower()
    return "cpp" if _CPP_STANDARD.fullmatch(small) else _NAMES.get(small, small)


_COMPILED_EARLY: Final = tuple(
    dialect_of(name) for name in ("python", "go", "rust", "csharp", "ocaml", "matlab")
)
"""One of each kind, compiled at import to keep the first use fast."""
