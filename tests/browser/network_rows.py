"""A list of requests that only numbers them."""


class FakeRows:
    """Has a row for each request, and knows which are paused."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.paused: dict[int, str] = {}

    def row_of(self, network_id: str) -> int | None:
        return self.ids.get(network_id)

    def mark_paused(self, request_id: str, fetch_id: str, stage: str) -> int:
        assert fetch_id
        row = self.ids.setdefault(request_id, len(self.ids) + 1)
        self.paused[row] = stage
        return row

    def unmark_paused(self, row_id: int) -> None:
        del self.paused[row_id]
