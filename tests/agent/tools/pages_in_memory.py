"""Watched pages for tests that need no browser: a table of answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_ac.errors import NotConnected
from jupyter_ac.ids import Identity


@dataclass
class Consent:
    """What each person has allowed."""

    actions: frozenset[str] = frozenset()

    def allowed(self, person: Identity, /) -> frozenset[str]:
        return self.actions if person == "ada" else frozenset()


@dataclass
class MemoryPages:
    """The page `p1`.

    Attributes:
        answers: by action.
        url: of the page.
        consent: of its users.
        asked: what was asked for.
        is_connected: there is a page.
    """

    answers: dict[str, object] = field(default_factory=dict)
    url: str = "https://app.example/start"
    consent: Consent = field(default_factory=Consent)
    asked: list[tuple[str, str, Mapping[str, object]]] = field(default_factory=list)
    is_connected: bool = True

    def id_of(self, target: str, /) -> str:
        if not self.is_connected or target not in {"", "p1"}:
            raise NotConnected("No page is connected; connect to one first.")
        return "p1"

    def find(self, target: str, /) -> Consent | None:
        return self.consent if target == "p1" else None

    async def act(
        self, target: str, action: str, arguments: Mapping[str, object], timeout_s: float, /
    ) -> object:
        assert 0 < timeout_s < 100
        if action == "page":
            return {"url": self.url, "title": "Start", "id": target, "type": "page"}
        self.asked.append((target, action, arguments))
        answer = self.answers.get(action)
        if isinstance(answer, Exception):
            raise answer
        return answer
