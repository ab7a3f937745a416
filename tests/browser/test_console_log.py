import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.request_store import RecordLimits
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.errors import InvalidParams
from tests.browser.recordings import Event, event, recorded


def log_of(*events: Event, count: int = 1000, size_bytes: int = 10**8) -> ConsoleLog:
    log = ConsoleLog(RowIds(), RecordLimits(count, size_bytes), "t", now=lambda: 5.0)
    for method, params in events:
        log.take(method, params)
    return log


def line(text: object, timestamp: object = 1.0, kind: str = "log") -> Event:
    arguments = [{"type": "string", "value": text}]
    return event("Runtime.consoleAPICalled", type=kind, args=arguments, timestamp=timestamp)


def texts(log: ConsoleLog, level: str | None = None) -> list[str]:
    return [row["message"] for row in log.rows(1000, level)][::-1]


def test_a_real_console_is_recorded() -> None:
    log = log_of(*recorded("page"))
    [first, *rest] = texts(log)
    assert first.startswith(
        'hello {a: 1, b: Object, d: "x"} Array(3) [1, 2, "three"] Map(1) {"k" => {v: 1}} '
        "Set(2) {1, 2} null undefined NaN 10n Symbol(s) function f(a) {…} Error: boom\n    at "
    )
    assert rest[0] == "styled name is 42"
    assert "Array(1) [{a: 1}]" in rest
    assert "{self: Object}" in rest
    assert "\ufffd lone" in rest
    errors = texts(log, "error")
    assert any(text.startswith("Uncaught Error: in app\n    at inner") for text in errors)
    assert "Uncaught a string" in errors
    assert "Uncaught (in promise) {code: 5}" in errors
    assert not any("Error: late" in text for text in errors)  # it was handled after all
    assert any("blocked by CORS policy" in text for text in errors)
    [warning] = log.rows(level="warn")
    assert (warning["level"], warning["line"]) == ("warning", 4)
    assert 1795801761 < warning["timestamp"] < 1795801762


def test_a_second_session_repeats_nothing() -> None:
    log = log_of(*recorded("page"))
    before = texts(log)
    for method, params in recorded("late"):
        log.take(method, params)
    assert texts(log) == before


def test_frames_and_requests_are_kept() -> None:
    messages = log_of(*recorded("page")).since(0)
    thrown = next(message for message in messages if "in app" in message.text)
    assert [frame.function for frame in thrown.frames] == ["inner", "outer"]
    assert thrown.frames[0].url.endswith("/app.js")
    failed = next(message for message in messages if "ERR_UNSAFE_PORT" in message.text)
    assert failed.request_id
    assert failed.source == "network"


def test_equal_messages_at_other_times_are_all_kept() -> None:
    assert texts(log_of(line("a", 1.0), line("a", 2.0), line("b", 1.0), line("a", 1.0))) == [
        "a",
        "a",
        "b",
    ]


def test_messages_without_a_time_are_all_kept() -> None:
    log = log_of(line("a", None), line("a", float("nan")))
    assert [row["timestamp"] for row in log.rows()] == [5.0, 5.0]


def test_levels_have_the_names_of_the_list() -> None:
    kinds = ["log", "debug", "info", "error", "warning", "assert", "trace", "table", "timeEnd"]
    log = log_of(*(line(kind, number, kind) for number, kind in enumerate(kinds)))
    assert texts(log, "error") == ["error", "assert"]
    assert texts(log, "log") == ["log", "trace", "table"]
    assert texts(log, "info") == ["info", "timeEnd"]
    with pytest.raises(InvalidParams, match="debug, log, info"):
        log.rows(level="loud")
    with pytest.raises(InvalidParams):
        log.rows(0)


def test_a_page_that_clears_its_console_hides_nothing() -> None:
    log = log_of(line("a", 1.0), line("", 2.0, "clear"), line("", 3.0, "endGroup"))
    assert texts(log) == ["a", "the page has cleared its console"]


def test_dialogs_and_messages_of_our_own_are_there() -> None:
    log = log_of(event("Page.javascriptDialogOpening", type="confirm", message="sure?"))
    assert log.add("error", "page", "the page has crashed") == 2
    assert texts(log) == ["confirm: sure?", "the page has crashed"]
    assert log.rows(1)[0]["source"] == "page"


def test_secrets_are_masked_unless_revealed() -> None:
    log = log_of(line("password=hunter22"))
    assert texts(log) == ["password=…"]
    assert log.rows(reveal=True)[0]["message"] == "password=hunter22"


def test_a_long_list_has_short_messages() -> None:
    log = log_of(*(line("x" * 9000, float(number)) for number in range(300)))
    assert len(log.rows(1)[0]["message"]) == 9000
    assert sum(len(row["message"]) for row in log.rows(1000)) < 400_000
    assert len(log.rows(1000)) == 300


def test_only_errors_and_traces_keep_their_whole_stacks() -> None:
    frames = [{"url": "http://h/a.js", "lineNumber": number} for number in range(3)]
    kinds = ("error", "trace", "log")
    log = log_of(
        *(
            event("Runtime.consoleAPICalled", type=kind, stackTrace={"callFrames": frames})
            for kind in kinds
        )
    )
    assert [len(message.frames) for message in log.since(0)] == [3, 3, 1]


def test_a_flood_stays_within_the_bounds_and_loses_nothing_of_the_newest() -> None:
    log = log_of(*(line(f"line {number}", float(number)) for number in range(50_000)), count=1000)
    assert texts(log) == [f"line {number}" for number in range(49_000, 50_000)]
    assert log.dropped == 49_000
    assert len(log._seen) == 1000
    assert log.size_bytes == sum(message.weight for message in log.since(0))


def test_bytes_are_bounded() -> None:
    log = log_of(*(line("x" * 10_000_000, number) for number in range(50)), size_bytes=100_000)
    assert log.size_bytes <= 100_000
    assert len(log) > 1


def test_marks_tell_what_is_new_also_after_clear() -> None:
    log = log_of(line("a", 1.0))
    mark = log.mark()
    assert log.since(mark) == []
    log.clear()
    log.take(*line("b", 2.0))
    assert [message.text for message in log.since(mark)] == ["b"]
    assert log.size_bytes == log.since(0)[0].weight


def test_what_was_dropped_can_be_revoked_without_harm() -> None:
    details = {"exceptionId": 7, "text": "Uncaught", "url": "http://h/", "lineNumber": 2}
    thrown = event("Runtime.exceptionThrown", timestamp=1.0, exceptionDetails=details)
    revoked = event("Runtime.exceptionRevoked", exceptionId=7)
    log = log_of(thrown, line("a", 2.0), revoked, revoked, count=1)
    assert texts(log) == ["a"]
    [message] = log_of(thrown).since(0)
    assert (message.text, message.frames[0].line) == ("Uncaught", 3)


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
NAMES = sorted({method for method, _ in recorded("page")} | {"Page.javascriptDialogOpening"})
MEMBERS = sorted({name for _, params in recorded("page") for name in params} | {"message"})


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(NAMES), st.dictionaries(st.sampled_from(MEMBERS), JUNK, max_size=6)
        ),
        max_size=10,
    )
)
def test_whatever_comes_can_be_listed(events: list[Event]) -> None:
    log = log_of(*events, count=5)
    orjson.dumps(log.rows())
    assert log.size_bytes == sum(message.weight for message in log.since(0))
