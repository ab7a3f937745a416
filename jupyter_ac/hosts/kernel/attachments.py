"""What `panel.attach()` was given and has not gone out yet.

| message | from | meaning |
|---|---|---|
| `{type: "attach", id, item}` | kernel | add this to the panel's next question |

One view of the panel takes it. Without a page, the items wait for the first one that shows the
panel, and for a question that the kernel's own host asks, whichever comes first.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import Conflict


class Attachments:
    """The items of one panel. Thread-safe.

    Args:
        post: sends a message to the pages; from any thread, must not block.
    """

    def __init__(self, post: Callable[[Mapping[str, object]], None]) -> None:
        self._post = post
        self._lock = threading.Lock()
        self._waiting: dict[str, ContextItemGiven] = {}
        self._has_page = False

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
            self._waiting = {each["name"]: each for each in (*others, item)}
            has_page = self._has_page
        if has_page:
            self._send(item)

    def receive(self, content: object) -> None:
        """Look at a message from a page: its panel's states tell when it takes and asks."""
        match content:
            case {"type": "state", "busy": is_busy}:
                with self._lock:
                    unsent = [] if self._has_page else list(self._waiting.values())
                    self._has_page = True
                    if is_busy is True and not unsent:
                        self._waiting.clear()  # they have gone out with the page's question
                for item in unsent:
                    self._send(item)

    def take(self) -> list[ContextItemGiven]:
        """Take all items for a question of the kernel's own host."""
        with self._lock:
            taken, self._waiting = list(self._waiting.values()), {}
        return taken

    def put_back(self, items: Sequence[ContextItemGiven]) -> None:
        """Keep what was taken for a question that has failed; newer items of a name stay."""
        with self._lock:
            self._waiting = {item["name"]: item for item in items} | self._waiting

    def _send(self, item: ContextItemGiven) -> None:
        self._post({"type": "attach", "id": secrets.token_hex(8), "item": item})
