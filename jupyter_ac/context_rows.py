"""Wire types of what is sent: things added to the question, sizes of requests and of symbols."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

ContextKind: TypeAlias = Literal[
    "variable", "cell", "selection", "output", "error", "notebook", "element", "request"
]


class ContextItemGiven(TypedDict):
    """Argument of `add_context`.

    Attributes:
        kind: what it is.
        name: a short name for it, such as `df` or `cell 3`.
        text: what the model is sent of it; secrets in it are masked.
        source: where it comes from: the path of a notebook, or a kernel.
        cell: id of the cell, for a cell, an output or an error; absent for others.
        code: source of the cell, for an output; it tells whether a secret is shown, and isn't sent.
        images: that belong to it: data URIs, or ids from `put_image`.
    """

    kind: ContextKind
    name: str
    text: str
    source: NotRequired[str]
    cell: NotRequired[str]
    code: NotRequired[str]
    images: NotRequired[list[str]]


class ContextItemRow(TypedDict):
    """One thing that goes out with the next question.

    Attributes:
        id: for `remove_context`.
        kind: what it is.
        name: a short name for it.
        source: where it comes from; "" if that isn't known.
        tokens: of its text as it is sent.
        taken_ms: when it was added, in milliseconds since 1970.
        secrets: how many secrets in it are masked.
        images: how many images come with it.
    """

    id: str
    kind: ContextKind
    name: str
    source: str
    tokens: int
    taken_ms: int
    secrets: int
    images: int


class RestoredText(TypedDict):
    """The result of `restore_cell_secrets`.

    Attributes:
        text: with the secrets in place of the placeholders that stand for them.
    """

    text: str


ChangeCategory: TypeAlias = Literal[
    "system", "legend", "map", "files", "urls", "review", "context", "tools", "history", "question"
]


class LastRequestTokens(TypedDict):
    """The requests of the last turn, more than one when edits were asked for again.

    Attributes:
        input_tokens: as the provider counted them.
        counted: by `tokenizer`, `message_overhead` included.
        cache: whether the provider's cache served a part of it; null when the provider counted no
            input.
        cached_share: the part that it served.
    """

    input_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    counted: int
    cache: Literal["hit", "miss"] | None
    cached_share: float


class ChangedPart(TypedDict):
    """A part of the request whose size differs from the last request.

    Attributes:
        category: as in the breakdown.
        path: of a file, a page, a part of a review, or something added; "" for a whole category.
        name: the same in printable characters; "" for a whole category.
        before: its tokens in the last request; 0 when it wasn't there.
        after: its tokens in the next one; 0 when it isn't there any more.
    """

    category: ChangeCategory
    path: str
    name: str
    before: int
    after: int


class RequestChanges(TypedDict):
    """The next request beside the last one.

    Attributes:
        parts: the parts whose size differs, the largest difference first.
        kept_tokens: of the beginning that both have, which the provider's cache can serve.
        lost_tokens: of the last request, behind that beginning: if the cache had them, it can
            serve them no more.
        lost_from: the first block behind that beginning: a path, or what kind of block; "" when
            all of the last request stays as it was.
    """

    parts: list[ChangedPart]
    kept_tokens: int
    lost_tokens: int
    lost_from: str


class SymbolTokens(TypedDict):
    """A symbol of a file, or a section of a document, and the tokens of its own lines.

    Attributes:
        name: as written.
        kind: `class`, `function`, …; `section` of a document.
        line: where it begins, from 1.
        last_line: where it ends.
        parent: index of the symbol around it among the rows; -1 at top level.
        tokens: of those of its lines that are in no symbol inside it.
    """

    name: str
    kind: str
    line: int
    last_line: int
    parent: int
    tokens: int


class FileSymbolTokens(TypedDict):
    """The symbols of one file as it is now, in the order of its lines.

    Attributes:
        path: as it was given.
        symbols: at most 400; what others hold counts to the symbol around them.
        rest: tokens of the lines outside all symbols, and of the frame that the file is sent in.
    """

    path: str
    symbols: list[SymbolTokens]
    rest: int


class FileSet(TypedDict):
    """Files that a person has saved under a name.

    Attributes:
        name: of the set.
        paths: in the order in which they were ticked; they may be gone since.
    """

    name: str
    paths: list[str]


class LeftOutFile(TypedDict):
    """A file that isn't offered.

    Attributes:
        reason: the second half of a sentence: "it is gone".
    """

    path: str
    reason: str


class QuestionFiles(TypedDict):
    """The files that were ticked when a question was asked, and aren't now.

    Attributes:
        files: that can be ticked, in the order in which they were ticked then.
        left_out: that can't.
    """

    files: list[str]
    left_out: list[LeftOutFile]
