"""What `panel.attach()` was given and has not gone out yet.

| message | from | meaning |
|---|---|---|
| `{type: "attach", id, item}` | kernel | add this to the panel's next question |

One view of the panel takes it. All that wait are sent again, under the same ids, to each view that
is opened: nothing tells that a page was closed or reloaded. A view that has taken an id before
ignores it, and another one replaces the item by itself. They wait until a question of a page has
taken them, or one that the kernel's own host asks, whichever comes first.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import Conflict


@dataclass(slots=True)
class Attachment:
    """An item that has not gone out yet.

    Attributes:
        item: for `add_context`.
        id: the same whenever it is sent to the pages.
        is_sent: whether it was sent to a page that showed the panel.
    """

    item: ContextItemGiven
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    is_sent: bool = False


class Attachments:
    """The items of one panel. Thread-safe.

    Args:
        post: sends a message to the pages; from any thread, must not block.
    """

    def __init__(self, post: Callable[[Mapping[str, object]], None]) -> None:
        self._post = post
        self._lock = threading.Lock()
        self._waiting: dict[str, Attachment] = {}
        self._has_page = False
        self._is_opening = True
        self._is_idle = False

    def add(self, item: ContextItemGiven) -> None:
        """Add an item; another one of its name is replaced.

        Raises:
            Conflict: there are too many.
        """
        with self._lock:
            others = [each for name, each in self._waiting.items() if name != item["name"]]
            if len(others) >= MAX_ITEMS:
                raise Conflict(
                    f"At most {MAX_ITEMS} values can be attached to a question; ask it first."
                )
            added = Attachment(item, is_sent=self._has_page)
            self._waiting = {each.item["name"]: each for each in (*others, added)}
            is_sent = added.is_sent
        if is_sent:
            self._send(added)

    def receive(self, content: object) -> None:
        """Look at a message from a page: they tell when a view is opened, takes items and asks."""
        match content:
            case {"type": "hello"}:
                with self._lock:
                    self._is_opening = True
            case {"type": "state", "busy": bool(is_busy), **rest}:
                # A view that is starting doesn't know yet whether an answer is on its way.
                is_known = rest.get("status") != "starting"
                for attachment in self._take_state(is_busy=is_busy, is_known=is_known):
                    self._send(attachment)

    def take(self) -> list[Attachment]:
        """Take all items for a question of the kernel's own host."""
        with self._lock:
            taken, self._waiting = list(self._waiting.values()), {}
        return taken

    def put_back(self, attachments: Sequence[Attachment]) -> None:
        """Keep what was taken for a question that has failed; newer items of a name stay."""
        with self._lock:
            self._waiting = {each.item["name"]: each for each in attachments} | self._waiting

    def _take_state(self, *, is_busy: bool, is_known: bool) -> list[Attachment]:
        """Forget what a question of a page has taken; return what is to be sent to a new view."""
        with self._lock:
            if is_busy and self._is_idle and not self._is_opening:
                # A question has begun, and what had reached a page has gone out with it.
                self._waiting = {
                    name: each for name, each in self._waiting.items() if not each.is_sent
                }
            self._is_idle = is_known and not is_busy
            if not self._is_opening:
                return []
            self._is_opening, self._has_page = False, True
            for each in self._waiting.values():
                each.is_sent = True
            return list(self._waiting.values())

    def _send(self, attachment: Attachment) -> None:
        self._post({"type": "attach", "id": attachment.id, "item": attachment.item})
