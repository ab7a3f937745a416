"""Wire types of web pages, in events and in answers."""

from typing import Literal, NotRequired, TypedDict


class UrlRow(TypedDict):
    """A web page of a conversation.

    Attributes:
        type: kind of page: `github_repo`, `documentation`, `generic` and so on.
        display_name: short, for lists.
        title: of the page; "" until it is fetched.
        state: of the fetch.
        included: it goes to the model with the next question.
        error: why there is no content; null if there is.
        fetched_at: ISO 8601, UTC; "" if it never was.
        bytes: that have arrived; only while it is fetched.
    """

    url: str
    type: str
    display_name: str
    title: str
    state: Literal["fetching", "ready", "failed"]
    included: bool
    error: str | None
    fetched_at: str
    bytes: NotRequired[int]
