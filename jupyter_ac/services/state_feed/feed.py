"""A state that clients follow: its revisions, and the Server-Sent-Events frames that tell of them.

The state is a flat set of named fields. Each change gets the next revision, and the feed keeps for
each field the revision of its last change. The difference between any earlier revision and now is
therefore made from the present state alone: there is no log of changes that could overflow, and a
client that was away, or is slow, gets one frame with all that it has missed.

Revisions begin at a random multiple of a million, which differs for each feed: a client that comes
back to another process, or to another conversation, is recognised, and gets the whole state.

Frames follow the HTML standard, section 9.2 (server-sent events), and seed 003: `data:` with one
JSON object, no event name; and `id:`, which the seed doesn't have. This module does no I/O.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from typing import Final

from jupyter_ac.browser_rows import BrowserState
from jupyter_ac.services.state_feed.followers import Followers

CHANGES_OF_ONE: Final = 1_000_000
"""The distance between the first revisions of two feeds."""

_FEEDS: Final = 8_000_000_000
"""How many first revisions there are: all of them are below 2^53, exact in JavaScript."""

_KEPT_FRAMES: Final = 32

_REVISION: Final = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)


def first_revision() -> int:
    """Draw the first revision of a feed; its last six digits are zeros."""
    return (1 + secrets.randbelow(_FEEDS)) * CHANGES_OF_ONE


def canonical_json(value: object) -> str:
    """Return JSON that is the same for equal values: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_hash(value: object) -> str:
    """Return the first 16 hex digits of the MD5 of a value's canonical JSON, as in seed 003."""
    digest = hashlib.md5(canonical_json(value).encode("ascii"), usedforsecurity=False)
    return digest.hexdigest()[:16]


def content_hashes(browser: BrowserState) -> dict[str, str]:
    """Return the hashes of the browser's part that clients of seed 003 compare."""
    return {
        "selections_hash": content_hash(browser["browser"]["selections"]),
        "filters_hash": content_hash(browser["filters"]),
        "fetch_hash": content_hash(browser["fetch"]),
        "page_hash": content_hash(browser["page"]),
        "error_hash": content_hash(browser["error"]),
    }


class StateFeed:
    """The state, its revision, and who follows it.

    Attributes:
        revision: of the present state; 1 more after each change.
        followers: woken after each change, and when the feed is closed.
        is_closed: nothing will change any more.

    Args:
        fields: the state at first; each value is JSON.
        start: the first revision.
    """

    def __init__(self, fields: Mapping[str, object], start: int | None = None) -> None:
        self._start = first_revision() if start is None else start
        self.revision = self._start
        self.followers = Followers()
        self.is_closed = False
        self._texts = {name: canonical_json(value) for name, value in fields.items()}
        self._changed_at = dict.fromkeys(self._texts, self.revision)
        self._frames: dict[int | None, bytes] = {}

    def update(self, fields: Mapping[str, object]) -> bool:
        """Take the present state; a change wakes the followers.

        Args:
            fields: all of them, under the same names each time.

        Returns:
            whether anything has changed.
        """
        texts = {name: canonical_json(value) for name, value in fields.items()}
        changed = {name: text for name, text in texts.items() if self._texts.get(name) != text}
        if not changed:
            return False
        self.revision += 1
        self._texts.update(changed)
        self._changed_at.update(dict.fromkeys(changed, self.revision))
        self._frames.clear()
        self.followers.wake()
        return True

    def close(self) -> None:
        """End the feed: its followers are woken at once."""
        self.is_closed = True
        self.followers.wake_at_once()

    def recognise(self, event_id: str) -> int | None:
        """Return the revision that a client has seen last, from its `Last-Event-ID`.

        Returns:
            None if the id isn't one of this feed: the client needs the whole state.
        """
        if _REVISION.fullmatch(event_id) is None:
            return None
        revision = int(event_id)
        return revision if self._start <= revision <= self.revision else None

    def frame(self, since: int | None = None) -> bytes:
        """Return one frame, made once for all clients that need the same.

        Args:
            since: a revision that `recognise` has returned: only fields that changed after it, and
                `"delta": true`; None for the whole state.
        """
        frame = self._frames.get(since)
        if frame is None:
            frame = self._make_frame(since)
            if len(self._frames) < _KEPT_FRAMES:
                self._frames[since] = frame
        return frame

    def _make_frame(self, since: int | None) -> bytes:
        fields = [f'"revision":{self.revision}']
        if since is not None:
            fields.append('"delta":true')
        fields += [
            f"{json.dumps(name)}:{text}"
            for name, text in self._texts.items()
            if since is None or self._changed_at[name] > since
        ]
        return f"id: {self.revision}\ndata: {{{','.join(fields)}}}\n\n".encode("ascii")


class FeedCursor:
    """What one client has been sent of a feed, and hence what it is sent next.

    Attributes:
        feed: which one.

    Args:
        feed: as the attribute.
        deltas: the client wants changed fields only; otherwise each frame is the whole state.
        last_event_id: what the client says that it has seen; "" for nothing. A client that wants
            the whole state gets it at once all the same, as in seed 003, whose client forgets its
            epoch when it connects again.
    """

    def __init__(self, feed: StateFeed, *, deltas: bool, last_event_id: str = "") -> None:
        self.feed = feed
        self._deltas = deltas
        self._seen = feed.recognise(last_event_id) if deltas else None

    def take(self) -> bytes | None:
        """Return the next frame, which leads to the present state; None if there is nothing new."""
        seen, self._seen = self._seen, self.feed.revision
        if seen == self.feed.revision:
            return None
        return self.feed.frame(seen if self._deltas else None)
