"""Finds web addresses in text and tells which kind of page each one is."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

MAX_FOUND: Final = 50
"""Addresses that are found in one text; further ones are left out."""

MAX_LENGTH: Final = 2048
"""Characters of an address; longer ones aren't found."""

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`{}|\\^\[\]\x00-\x1f\x7f]+", re.IGNORECASE)
_PUNCTUATION: Final = ".,;:!?*_~"
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_REVISION: Final = re.compile(r"[A-Za-z0-9._/-]{1,200}")

_GITHUB: Final = frozenset({"github.com", "www.github.com"})
_RAW: Final = "raw.githubusercontent.com"
_GIST: Final = "gist.github.com"
_PAGES_OF_GITHUB: Final = frozenset(
    {"about", "collections", "customer-stories", "enterprise", "events", "explore", "features"}
    | {"issues", "login", "marketplace", "notifications", "orgs", "organizations", "pricing"}
    | {"pulls", "search", "security", "settings", "site", "sponsors", "team", "topics", "trending"}
)
_DOCUMENTATION: Final = frozenset(
    {"docs.python.org", "developer.mozilla.org", "devdocs.io", "wiki.python.org"}
)
_DOCUMENTATION_ENDS: Final = (".readthedocs.io", ".readthedocs.org")
_DOCUMENTATION_FOLDERS: Final = frozenset({"docs", "documentation", "api", "reference"})
_LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class GitHubPlace:
    """What an address of GitHub names; empty fields aren't named.

    Attributes:
        owner: of the repository or the gist.
        repo: the repository's name.
        branch: branch, tag or commit.
        path: a file in it.
        number: of an issue or a pull request.
        gist: identifier of a gist.
    """

    owner: str = ""
    repo: str = ""
    branch: str = ""
    path: str = ""
    number: int = 0
    gist: str = ""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """One address.

    Attributes:
        url: as it was written, without a fragment.
        type: `github_file`, `github_gist`, `github_issue`, `github_pr`, `github_repo`,
            `documentation` or `generic`.
        display_name: short, for lists: `owner/repo#7`.
        github: what it names there.
    """

    url: str
    type: str
    display_name: str
    github: GitHubPlace | None = None


def find_addresses(text: str) -> list[WebAddress]:
    """Find the addresses in a text, each once, in the order of their first places."""
    found: dict[str, WebAddress] = {}
    for match in _ADDRESS.finditer(text):
        address = parse_address(_without_trailing_marks(match.group()))
        if address is not None:
            found.setdefault(address.url, address)
        if len(found) == MAX_FOUND:
            break
    return list(found.values())


def parse_address(url: str) -> WebAddress | None:
    """Read one address; None if it is none of the web, is too long or has no host."""
    url = url.strip().partition("#")[0]
    if len(url) > MAX_LENGTH or not _ADDRESS.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return None
    if not host.strip("."):
        return None
    place = _github_place(host.lower(), parts)
    if place is not None:
        kind, found = place
        return WebAddress(
            url, kind, _github_name(found, "!" if kind == "github_pr" else "#"), found
        )
    kind = "documentation" if _is_documentation(host.lower(), parts.path) else "generic"
    shown = host if parts.port is None else f"{host}:{parts.port}"
    return WebAddress(url, kind, _short(shown + parts.path.rstrip("/")))


def _without_trailing_marks(url: str) -> str:
    """Remove what belongs to the sentence around an address: punctuation, unmatched brackets."""
    end, unmatched = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in _PUNCTUATION or (url[end - 1] == ")" and unmatched > 0)):
        end -= 1
        unmatched -= url[end] == ")"
    return url[:end]


def _github_place(host: str, parts: SplitResult) -> tuple[str, GitHubPlace] | None:
    segments = [unquote(each) for each in parts.path.split("/") if each]
    if parts.port is not None or parts.username is not None:
        return None
    if host == _RAW:
        return _raw_file(segments)
    if host == _GIST:
        return _gist(segments)
    if host not in _GITHUB or len(segments) < len(("owner", "repo")):
        return None
    owner, repo, *rest = segments
    repo = repo.removesuffix(".git")
    if owner.lower() in _PAGES_OF_GITHUB or not (_is_name(owner) and _is_name(repo)):
        return None
    return _in_repository(owner, repo, rest)


def _in_repository(owner: str, repo: str, rest: list[str]) -> tuple[str, GitHubPlace] | None:
    match rest:
        case []:
            return "github_repo", GitHubPlace(owner, repo)
        case ["tree", branch] if _REVISION.fullmatch(branch):
            return "github_repo", GitHubPlace(owner, repo, branch)
        case ["issues", number, *_] if _NUMBER.fullmatch(number):
            return "github_issue", GitHubPlace(owner, repo, number=int(number))
        case ["pull", number, *_] if _NUMBER.fullmatch(number):
            return "github_pr", GitHubPlace(owner, repo, number=int(number))
        case ["blob" | "raw", branch, first, *more] if _REVISION.fullmatch(branch):
            return "github_file", GitHubPlace(owner, repo, branch, "/".join((first, *more)))
        case _:
            return None


def _raw_file(segments: list[str]) -> tuple[str, GitHubPlace] | None:
    match segments:
        case [owner, repo, "refs", "heads" | "tags", branch, first, *more]:
            pass
        case [owner, repo, branch, first, *more]:
            pass
        case _:
            return None
    if not (_is_name(owner) and _is_name(repo) and _REVISION.fullmatch(branch)):
        return None
    return "github_file", GitHubPlace(owner, repo, branch, "/".join((first, *more)))


def _gist(segments: list[str]) -> tuple[str, GitHubPlace] | None:
    match segments:
        case [owner, gist, *_] if _is_name(owner) and re.fullmatch(r"[0-9a-f]{5,40}", gist):
            return "github_gist", GitHubPlace(owner, gist=gist)
        case _:
            return None


def _is_name(word: str) -> bool:
    return _NAME.fullmatch(word) is not None and word.strip(".") != ""


def _github_name(place: GitHubPlace, mark: str) -> str:
    if place.gist:
        return _short(f"gist {place.owner}/{place.gist}")
    name = f"{place.owner}/{place.repo}"
    if place.path:
        return _short(f"{name}/{place.path.rpartition('/')[2]}")
    return _short(f"{name}{mark}{place.number}" if place.number else name)


def _is_documentation(host: str, path: str) -> bool:
    folders = path.lower().split("/")[1:-1]
    return (
        host in _DOCUMENTATION
        or host.endswith(_DOCUMENTATION_ENDS)
        or not _DOCUMENTATION_FOLDERS.isdisjoint(folders)
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
