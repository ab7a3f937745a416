"""Lines and errors, and how many of them."""

from jupyter_ac.panels import component, html, log
from jupyter_ac.panels.reports import MAX_LINES, MAX_REPEATS
from tests.panels.shown import shown


async def test_a_line_of_the_log_survives_any_object() -> None:
    class Mute:
        def __repr__(self) -> str:
            raise ValueError("no repr")

    async with shown(component(lambda: html.p({"on_click": lambda: log(Mute(), {1})}))) as one:
        await one.fire("onClick")
        assert one.host.logs == [("log", ["<Mute, whose repr fails>", "{1}"])]


async def test_a_flood_of_lines_is_cut_and_counted() -> None:
    def flood() -> None:
        for number in range(10_000):
            log(number)

    async with shown(component(lambda: html.p({"on_click": flood}))) as one:
        await one.fire("onClick")
        assert len(one.host.logs) == MAX_LINES + 1
        assert one.host.logs[-1] == ("warn", [f"{10_000 - MAX_LINES:,} more lines were left out."])
        await one.fire("onClick")
        assert len(one.host.logs) == 2 * (MAX_LINES + 1)


async def test_the_same_error_again_and_again_is_reported_some_times() -> None:
    def fail(value: object) -> None:
        raise ValueError(value)

    async with shown(component(lambda: html.p({"on_input": fail}))) as one:
        for value in [*("same" for _ in range(30)), "other", "same"]:
            await one.fire("onInput", value)
        same, other = "ValueError: same", "ValueError: other"
        assert one.host.errors == [*[same] * MAX_REPEATS, other, same]
        assert one.host.logs == [("warn", [f"Not reported again: {same}"])]
