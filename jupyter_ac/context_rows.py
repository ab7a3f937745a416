"""Wire types of things from notebooks, kernels and web pages that go out with the question."""

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
