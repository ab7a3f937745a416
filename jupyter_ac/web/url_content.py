"""What is known of a fetched address: the record on the wire, in the cache and in the prompt."""

from dataclasses import dataclass, replace
from typing import Final, Self, cast

from jupyter_ac.web.addresses import WebAddress

NOT_FETCHED: Final = "URL not yet fetched"
"""Error of an address that nobody has fetched; the wording is that of seed 001's own code."""


_NULLABLE: Final = frozenset({"error", "summary", "summary_type"})


@dataclass(frozen=True, slots=True)
class GitHubInfo:
    """The place of GitHub that an address names; None where it names none of the kind."""

    owner: str
    repo: str
    branch: str | None = None
    path: str | None = None
    issue_number: int | None = None
    pr_number: int | None = None


@dataclass(frozen=True, slots=True)
class UrlContent:
    """The content of one address (`URLContent` of seed 001).

    Attributes:
        url: as it was found in the text.
        url_type: kind of page, see `WebAddress.type`.
        display_name: short, for lists.
        title: of the page.
        description: its summary of itself.
        content: its text.
        symbol_map: of a repository, how its files refer to each other.
        readme: of a repository.
        github_info: what it names there.
        fetched_at: ISO 8601, UTC; "" if it never was.
        error: why there is no content, in a sentence.
        summary: by the smaller model, if one was asked for.
        summary_type: `BRIEF`, `USAGE`, `API`, `ARCHITECTURE` or `EVALUATION`.
        final_url: the address after redirects.
        proxy: host and port of the proxy that it came through, or "".
    """

    url: str
    url_type: str
    display_name: str
    title: str = ""
    description: str = ""
    content: str = ""
    symbol_map: str = ""
    readme: str = ""
    github_info: GitHubInfo | None = None
    fetched_at: str = ""
    error: str | None = None
    summary: str | None = None
    summary_type: str | None = None
    final_url: str = ""
    proxy: str = ""

    @classmethod
    def of(cls, address: WebAddress, error: str | None = None) -> Self:
        """Return the record of an address without content."""
        return cls(
            address.url,
            address.type,
            address.display_name,
            github_info=_info(address),
            error=error,
        )

    def failed(self, error: str) -> Self:
        """Return the record with the reason why there is no content."""
        return replace(self, error=error)

    @property
    def body(self) -> str:
        """The text that a model reads: the summary, else the readme, else the content."""
        return self.summary or self.readme or self.content


def content_of(row: object) -> UrlContent:
    """Rebuild a record from JSON.

    Raises:
        TypeError: it has other members than this version's, or of other types.
    """
    if not isinstance(row, dict):
        raise TypeError("a stored page is no object")
    texts = {name: value for name, value in row.items() if name != "github_info"}
    for name, value in texts.items():
        if not isinstance(value, str) and (value is not None or name not in _NULLABLE):
            raise TypeError(f"the member {name!r} of a stored page is no text")
    info = row.get("github_info")
    github_info = GitHubInfo(**info) if isinstance(info, dict) else None
    return UrlContent(**cast("dict[str, str]", texts), github_info=github_info)


def _info(address: WebAddress) -> GitHubInfo | None:
    place = address.github
    if place is None:
        return None
    number = place.number or None
    return GitHubInfo(
        place.owner,
        place.repo,
        place.branch or None,
        place.path or None,
        issue_number=number if address.type == "github_issue" else None,
        pr_number=number if address.type == "github_pr" else None,
    )
