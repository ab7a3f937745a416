"""Fetches one address and extracts its text; runs in a process of its own (`fetch_process`)."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from jupyter_ac.errors import AccessDenied, TimedOut, Unsupported
from jupyter_ac.web import github
from jupyter_ac.web.addresses import GitHubPlace, WebAddress, parse_address
from jupyter_ac.web.fetch_request import FetchedPage, FetchRequest
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.http_client import Download, HttpClient, Resolve, resolve
from jupyter_ac.web.page_text import PageText, is_readable, page_text
from jupyter_ac.web.repository_archive import readme_of, unpack


async def fetch(
    request: FetchRequest, report: Callable[[int], None], resolve_name: Resolve = resolve
) -> FetchedPage:
    """Fetch an address and extract its text.

    Args:
        request: the address, the limits, the rules about hosts.
        report: is told the number of bytes that have arrived.
        resolve_name: resolves the names of hosts.

    Raises:
        AccessDenied, NotFound, TooLarge, Unsupported: as `HttpClient.download`, or the content has
            no text.
        TimedOut: it takes longer than the request allows.
    """
    address = parse_address(request.url)
    if address is None:
        raise Unsupported(
            f"only addresses of up to 2,048 characters that begin with http:// or https:// and "
            f"name a host are fetched, not {request.url[:80]!r}"
        )
    rules = HostRules(request.allowed, request.denied)
    client = HttpClient(rules, resolve_name, request.let_through)
    try:
        async with asyncio.timeout(request.limit_s):
            return await _Fetch(client, request, report).of(address)
    except TimeoutError as error:
        raise TimedOut(f"it did not come within {request.limit_s:g} seconds") from error


class _Fetch:
    """One fetch; notes through which proxy it goes."""

    def __init__(
        self, client: HttpClient, request: FetchRequest, report: Callable[[int], None]
    ) -> None:
        self._client, self._request, self._report = client, request, report
        self._last = Download(request.url, "", "", b"")

    async def of(self, address: WebAddress) -> FetchedPage:
        place = address.github
        if place is None:
            text = await self._page(address.url)
        elif address.type == "github_repo":
            return await self._repository(place)
        else:
            text = await self._from_github(address, place)
        return self._fetched(text)

    async def _from_github(self, address: WebAddress, place: GitHubPlace) -> PageText:
        hosts = self._request.github
        get = partial(self._download, accepts=is_readable)
        match address.type:
            case "github_file":
                return await github.read_file(get, hosts, place)
            case "github_gist":
                return await github.read_gist(get, hosts, place)
            case _:
                try:
                    return await github.read_issue(get, hosts, place)
                except (AccessDenied, Unsupported):  # too many requests in this hour
                    return await self._page(address.url)

    async def _page(self, url: str) -> PageText:
        found = await self._download(url, accepts=is_readable)
        return page_text(found.url, found.media_type, found.charset, found.data)

    async def _repository(self, place: GitHubPlace) -> FetchedPage:
        archive = await self._download(
            github.archive_address(self._request.github, place), accepts=lambda _: True
        )
        folder = Path(self._request.folder)
        count = unpack(archive.data, folder)
        if not count:
            raise Unsupported("the repository has no files that can be read")
        title = f"{place.owner}/{place.repo}"
        page = self._fetched(PageText(title, f"a repository of {count:,} files", ""))
        return replace(page, readme=readme_of(folder))

    async def _download(self, url: str, accepts: Callable[[str], bool]) -> Download:
        download = await self._client.download(url, self._request.max_bytes, accepts, self._report)
        self._last = download
        return download

    def _fetched(self, text: PageText) -> FetchedPage:
        return FetchedPage(
            text.title,
            text.description,
            text.content,
            final_url=self._last.url,
            proxy=self._last.proxy,
        )
