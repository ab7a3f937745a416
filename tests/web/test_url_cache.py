"""The cache of pages on disk: valid for a time, bounded, shared, and never in the way."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.web import url_cache
from jupyter_ac.web.addresses import parse_address
from jupyter_ac.web.url_cache import UrlCache
from jupyter_ac.web.url_content import UrlContent

HOUR = 3600


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def page(url: str, content: str = "words") -> UrlContent:
    address = parse_address(url)
    assert address is not None
    empty = UrlContent.of(address)
    return UrlContent(
        empty.url,
        empty.url_type,
        empty.display_name,
        content=content,
        github_info=empty.github_info,
    )


def cache_in(folder: Path, clock: Clock | None = None) -> UrlCache:
    return UrlCache(folder / "urls", lambda: 24.0, clock or Clock())


def test_a_page_is_kept_for_its_time(tmp_path: Path) -> None:
    clock = Clock()
    cache = cache_in(tmp_path, clock)
    written = page("https://github.com/a/b/issues/7")
    assert cache.write(written)
    clock.now += 23.9 * HOUR
    assert cache.read(written.url) == written
    clock.now += 0.2 * HOUR
    assert cache.read(written.url) is None
    assert not list((tmp_path / "urls").iterdir())


def test_a_summary_makes_a_page_no_newer(tmp_path: Path) -> None:
    clock = Clock()
    cache = cache_in(tmp_path, clock)
    written = replace(page("https://a.org/"), fetched_at="2026-01-01T00:00:00+00:00")
    cache.write(written)
    clock.now += 20 * HOUR
    cache.write(replace(written, summary="short"))
    found = cache.read(written.url)
    assert found is not None
    assert found.summary == "short"
    clock.now += 5 * HOUR
    assert cache.read(written.url) is None
    cache.write(replace(written, fetched_at="2026-01-02T00:00:00+00:00"))
    clock.now += 20 * HOUR
    assert cache.read(written.url) is not None


def test_other_hosts_see_it_and_other_users_do_not(tmp_path: Path) -> None:
    cache_in(tmp_path).write(page("https://a.org/"))
    assert cache_in(tmp_path).read("https://a.org/") is not None
    (file,) = (tmp_path / "urls").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert (tmp_path / "urls").stat().st_mode & 0o077 == 0


def test_removing(tmp_path: Path) -> None:
    cache = cache_in(tmp_path)
    for url in ("https://a.org/1", "https://a.org/2", "https://a.org/3"):
        cache.write(page(url))
    cache.remove("https://a.org/1")
    cache.remove("https://a.org/unknown")
    assert cache.read("https://a.org/1") is None
    assert cache.read("https://a.org/2") is not None
    cache.clear()
    assert cache.read("https://a.org/3") is None
    cache.clear()


GOOD = {"url": "https://a.org/", "url_type": "generic", "display_name": "x"}


def entry(content: object, cached_at: object = 1_000_000.0) -> bytes:
    return json.dumps({"cached_at": cached_at, "content": content}).encode()


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"null", b"[]", b"\xff\xfe"),
        *(entry({}), entry(GOOD, "now"), entry(GOOD, 9_999_999.0), entry({"url": GOOD["url"]})),
        *(entry(GOOD | {"url_type": 1}), entry(GOOD | {"url": "https://other.org/"})),
        *(entry(GOOD | {"further": "y"}), entry(GOOD | {"github_info": {"name": "x"}})),
    ],
)
def test_damaged_entries_are_missing(tmp_path: Path, data: bytes) -> None:
    cache = cache_in(tmp_path)
    cache.write(page("https://a.org/"))
    (file,) = (tmp_path / "urls").iterdir()
    file.write_bytes(data)
    assert cache.read("https://a.org/") is None
    assert not file.exists()


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_cache, "MAX_ENTRIES", 3)
    cache = cache_in(tmp_path)
    for at in range(6):
        cache.write(page(f"https://a.org/{at}"))
    assert len(list((tmp_path / "urls").iterdir())) == 3
    assert cache.read("https://a.org/5") is not None


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "urls").write_text("a file")
    cache = cache_in(tmp_path)
    assert not cache.write(page("https://a.org/"))
    assert cache.read("https://a.org/") is None
    cache.clear()


def test_many_writers_of_one_address(tmp_path: Path) -> None:
    texts = [str(at) * 50_000 for at in range(8)]

    def work(text: str) -> None:
        for _ in range(20):
            cache_in(tmp_path).write(page("https://a.org/", text))
            read = cache_in(tmp_path).read("https://a.org/")
            assert read is None or read.content in texts

    threads = [threading.Thread(target=work, args=(text,)) for text in texts]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(list((tmp_path / "urls").iterdir())) == 1
