"""The messages between the host and a fetch process."""

from dataclasses import dataclass, field
from typing import Final

PAGE_S: Final = 20.0
"""Time limit of a page, in seconds."""

REPOSITORY_S: Final = 60.0
"""The same for a repository, which is unpacked, too."""

MAX_PAGE_BYTES: Final = 5_000_000
MAX_ARCHIVE_BYTES: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class GitHubHosts:
    """Where the parts of GitHub are; tests name a server of their own."""

    api: str = "https://api.github.com"
    raw: str = "https://raw.githubusercontent.com"
    archives: str = "https://codeload.github.com"


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One address, and the rules for fetching it.

    Attributes:
        url: the address.
        folder: an empty folder, into which a repository is unpacked.
        limit_s: time limit in seconds.
        max_bytes: of the content, decompressed.
        allowed: see `HostRules`.
        denied: the same.
        let_through: see `HttpClient`.
        github: where GitHub is.
    """

    url: str
    folder: str
    limit_s: float = PAGE_S
    max_bytes: int = MAX_PAGE_BYTES
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    let_through: tuple[str, ...] = ()
    github: GitHubHosts = field(default_factory=GitHubHosts)


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The text of a page that was fetched.

    Attributes:
        title: of the page, or "".
        description: its summary of itself, or "".
        content: Markdown if it was a page, else plain text; "" for a repository.
        readme: of a repository.
        final_url: the address after redirects.
        proxy: host and port of the proxy that it came through, or "".
    """

    title: str
    description: str
    content: str
    readme: str = ""
    final_url: str = ""
    proxy: str = ""
