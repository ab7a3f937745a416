import orjson
from jsonschema import validate

from jupyter_ac.browser.cdp_values import items_of, object_of
from jupyter_ac.browser.har import har_entry, har_log, header_of
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.request_record import RequestRecord
from jupyter_ac.browser.row_ids import RowIds
from tests.browser.recordings import answer, recorded, request

PAIRS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "value"],
        "properties": {"name": {"type": "string"}, "value": {"type": "string"}},
    },
}
HEAD = {
    "httpVersion": {"type": "string"},
    "headers": PAIRS,
    "cookies": PAIRS,
    "headersSize": {"type": "integer"},
    "bodySize": {"type": "integer"},
}
ENTRY = {
    "type": "object",
    "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
    "properties": {
        "startedDateTime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT.*Z$"},
        "time": {"type": "number", "minimum": 0},
        "request": {
            "required": ["method", "url", "queryString", *HEAD],
            "properties": {"queryString": PAIRS, **HEAD},
        },
        "response": {
            "required": ["status", "statusText", "content", "redirectURL", *HEAD],
            "properties": HEAD,
        },
        "timings": {
            "required": ["send", "wait", "receive"],
            "properties": {
                name: {"type": "number", "minimum": 0} for name in ("send", "wait", "receive")
            },
        },
    },
}


def records() -> list[RequestRecord]:
    log = NetworkLog(RowIds())
    for method, params in recorded("page"):
        log.take(method, params)
    return list(log.store)


def entry_of(path: str) -> dict[str, object]:
    return next(har_entry(record) for record in records() if record.url.endswith(path))


def test_real_requests_export_as_har() -> None:
    exported = har_log((har_entry(record) for record in records()), "jupyter_ac", "1")
    orjson.dumps(exported)
    entries = items_of(object_of(exported["log"])["entries"])
    assert len(entries) == len(records())
    for entry in entries:
        validate(entry, ENTRY)
        unknown = {name for name in object_of(entry) if not name.startswith("_")}
        assert unknown <= {*ENTRY["required"], "serverIPAddress"}


def test_an_entry_has_what_was_sent_and_what_came() -> None:
    entry = entry_of("/form")
    sent, came = object_of(entry["request"]), object_of(entry["response"])
    assert sent["method"] == "POST"
    data = object_of(sent["postData"])
    assert data["text"] == "password=hunter22&q=1"
    assert data["params"] == [
        {"name": "password", "value": "hunter22"},
        {"name": "q", "value": "1"},
    ]
    assert {"name": "sid", "value": "verysecretcookie"} in items_of(sent["cookies"])
    assert came["status"] == 200
    assert object_of(came["content"])["mimeType"] == "application/json"
    assert entry["serverIPAddress"] == "127.0.0.1"
    assert "hunter22" not in orjson.dumps(PageRedactor([]).entry(entry)).decode()


def test_sockets_and_streams_have_their_messages() -> None:
    socket = object_of(object_of(entry_of("?token=secretsecret")["websocket"])["frames"])
    assert [object_of(frame)["data"] for frame in items_of(socket["sent"])] == ["ping", "AQID/w=="]
    assert [object_of(frame)["opcode"] for frame in items_of(socket["received"])] == [1, 2]
    stream = object_of(entry_of("/events")["event_source"])
    assert [object_of(frame)["data"] for frame in items_of(stream["messages"])] == ["1", "2", "3"]


def test_a_request_of_which_hardly_anything_is_known_has_an_entry() -> None:
    entry = har_entry(RequestRecord(1, "r"))
    assert (entry["state"], entry["time"]) == ("pending", None)
    validate(items_of(object_of(har_log([entry], "c", "v")["log"])["entries"])[0], ENTRY)


def test_odd_queries_and_forms_are_left_out() -> None:
    log = NetworkLog(RowIds())
    form = {"content-type": "application/x-www-form-urlencoded"}
    many = "&".join(["a=1"] * 10_000)
    odd = ("http://[", f"http://h/?{many}", "data:text/html,?a=1", "http://h/?a=1&a=&b#c?d=1")
    for number, url in enumerate(odd):
        log.take(*request(str(number), url, method="POST", headers=form, postData=many))
    queries = [object_of(har_entry(record)["request"])["queryString"] for record in log.store]
    assert queries[:3] == [[], [], []]
    assert [object_of(pair)["name"] for pair in items_of(queries[3])] == ["a", "a", "b"]


def test_phases_that_the_browser_does_not_know_are_minus_one() -> None:
    log = NetworkLog(RowIds())
    log.take(*request())
    timing = {"sendStart": 1.0, "sendEnd": 2.0, "receiveHeadersEnd": float("nan"), "dnsStart": -1}
    log.take(*answer(timing=timing))
    timings = object_of(har_entry(log.record(1))["timings"])
    assert (timings["send"], timings["wait"], timings["dns"]) == (1.0, 0, -1)


def test_headers_are_found_in_whichever_case() -> None:
    assert header_of((("A", "1"), ("a", "2")), "a") == "1"
    assert header_of((), "a") == ""
