"""Pages that misbehave, each in its own way, seen through the real worker in one Chromium.

What is recorded is right, nothing hangs, and the next page works.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from secrets import token_hex
from typing import TypeAlias

import pytest
from websockets.asyncio.server import ServerConnection, serve

from jupyter_ac.errors import AcError, Busy, NotConnected, NotFound
from tests.browser.chromium import needs_chromium
from tests.browser.worker_lab import Lab, is_gone, lab_of

pytestmark = [needs_chromium, pytest.mark.timeout(400)]

Scenario: TypeAlias = Callable[[Lab], Awaitable[None]]
SCENARIOS: list[Scenario] = []

SECRET = "Zx9kQ2mW7tR4vB8nL3pJ6hD1"
LONG = 8000


def scenario(made: Scenario) -> Scenario:
    SCENARIOS.append(made)
    return made


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("misbehaving")
    with pytest.MonkeyPatch.context() as patched, lab_of(folder, patched) as made:
        yield made


def answered(
    status: int, body: bytes = b"", **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    """An answer with these headers; `_` in their names stands for `-`."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        with suppress(OSError):
            handler.wfile.write(body)

    return answer


@scenario
async def throws_everywhere(lab: Lab) -> None:
    worker = lab.serve("setTimeout(() => { throw new Error('from the worker') })", ".js")
    frame = lab.serve("<script>throw new TypeError('from the frame')</script>")
    await lab.open(
        f"""<iframe src="{frame}"></iframe><script>
        new Worker("{worker}");
        Promise.reject(new RangeError("from a promise"));
        Promise.reject(undefined);
        setTimeout(() => {{ throw null }});
        console.log("getter", {{get bad() {{ throw new Error("inner") }}, a: 1}});
        console.log("proxy", new Proxy({{}}, {{get() {{ throw new Error("trap") }}}}));
        console.error({{toString() {{ throw 1 }}}}, Symbol("s"), 10n, -0, NaN, function f() {{}});
        const ring = {{}}; ring.ring = ring; console.warn("ring", ring);
        throw new Error("from the page");
        </script>"""
    )
    said = await lab.until_said(
        *("from the worker", "from the frame", "from a promise", "from the page", "undefined"),
        *("getter", "proxy", "Symbol(s) 10n -0 NaN", "ring", "null"),
    )
    assert not any("inner" in line or "trap" in line for line in said)
    assert any("a: 1" in line for line in said)
    assert lab.state()["errors"] >= 6


@scenario
async def promise_that_is_handled_late(lab: Lab) -> None:
    await lab.open("<script>window.p = Promise.reject(new Error('too early'))</script>")
    await lab.until_said("too early")
    await lab.js("p.catch(() => console.log('handled')); 1")
    await lab.until_said("handled")

    async def is_taken_back() -> bool:
        return not await lab.said("error")

    await lab.until(is_taken_back)


@scenario
async def answers_with_errors(lab: Lab) -> None:
    lab.bodies["/500"] = answered(500, b"broken", Content_Type="text/plain")
    lab.bodies["/401"] = answered(401, b"no", WWW_Authenticate='Basic realm="x"')
    elsewhere = lab.site.replace("127.0.0.1", "localhost")
    await lab.open(
        f"""<script>
        fetch("/401");
        const all = ["/404", "/500", "{elsewhere}/cors", "http://127.0.0.1:1/refused",
                     "http://no.such.host.invalid/"];
        const abort = new AbortController();
        Promise.allSettled([...all.map((url) => fetch(url)),
          fetch("/404?aborted", {{signal: abort.signal}})]).then(() => console.log("all settled"));
        abort.abort();
        </script><img src="/404.png"><script src="/404.js"></script>"""
    )
    await lab.until_said("all settled")
    for path, status in (("*/401", 401), ("*/404", 404), ("*/500", 500), ("*/404.png", 404)):
        row = await lab.until_ended(path)
        assert (row["status"], row["state"]) == (status, "complete")
    assert "CORS" in (await lab.until_ended("*/cors"))["error"]
    assert (
        "REFUSED" in (await lab.until_ended("*/refused")).get("error", "")
        or "UNSAFE" in (await lab.until_ended("*/refused"))["error"]
    )
    assert "NAME_NOT_RESOLVED" in (await lab.until_ended("*.invalid/"))["error"]
    failed = (await lab.until_ended("*/500"))["id"]
    body = (await lab.entry(failed, "response.content"))["response"]["content"]
    assert body["text"] == "broken"


@scenario
async def redirects_without_end(lab: Lab) -> None:
    lab.bodies["/loop"] = answered(302, Location="/loop")
    await lab.open("<script>fetch('/loop').catch(() => console.log('gave up'))</script>")
    await lab.until_said("gave up")
    rows = await lab.requests("*/loop")
    assert len(rows) == 21
    assert [row["status"] for row in rows[:-1]] == [302] * 20
    assert "TOO_MANY_REDIRECTS" in rows[-1]["error"]
    assert (await lab.entry(rows[0]["id"], "*"))["response"]["redirectURL"].endswith("/loop")
    body = (await lab.entry(rows[0]["id"], "response.content"))["response"]["content"]
    assert "redirects" in body["error"]


@scenario
async def long_redirects(lab: Lab) -> None:
    def hop(handler: BaseHTTPRequestHandler) -> None:
        number = int(handler.path.partition("n=")[2].partition("&")[0])
        if number == 12:
            answered(200, b"arrived")(handler)
            return
        following = f"/hop?n={number + 1}&pad={'x' * LONG}"
        answered(307, Location=following, Set_Cookie=f"c{number}={SECRET}")(handler)

    lab.bodies["/hop"] = hop
    await lab.open("<script>fetch('/hop?n=0').then(() => console.log('arrived'))</script>")
    await lab.until_said("arrived")
    rows = await lab.requests("*/hop?n=*")
    assert [row["status"] for row in rows] == [307] * 12 + [200]
    entries = [await lab.entry(row["id"], "*") for row in rows]
    assert SECRET not in json.dumps(entries)
    body = (await lab.entry(rows[8]["id"], "response.content"))["response"]["content"]
    assert body["text"] == "arrived"
    assert len(body["chain"]) == 5


@scenario
async def many_console_lines(lab: Lab) -> None:
    await lab.open("<title>Flood</title>")
    await lab.js(
        "let n = 0; const step = () => { for (let i = 0; i < 2500; i++) console.log('line', n++);"
        "if (n < 50000) setTimeout(step) }; step(); 1"
    )

    async def newest() -> bool:
        return (await lab.said(limit=1)) == ["line 49999"]

    await lab.until(newest)
    assert lab.state()["events"] >= 50_000
    rows = await lab.rows_of_console(limit=1000)
    ids = [row["id"] for row in rows]
    assert ids == list(range(ids[0], ids[0] - 1000, -1))
    assert rows[-1]["message"] == "line 49000"


@scenario
async def equal_lines_at_once(lab: Lab) -> None:
    await lab.open("<title>Equal</title>")
    await lab.js("for (let i = 0; i < 20000; i++) console.warn('again'); console.log('end'); 1")
    await lab.until_said("end")
    assert len(await lab.rows_of_console("warn", limit=1000)) == 1000

    async def all_there() -> bool:
        return bool(lab.state()["events"] >= 20_000)

    await lab.until(all_there)
    news = await lab.act("news")
    assert [item["count"] for item in news["items"] if "again" in item["text"]] == [5000 - 1]


@scenario
async def endless_texts(lab: Lab) -> None:
    await lab.open("<title>Long</title>")
    await lab.js("console.log('x'.repeat(10_000_000)); console.error('é'.repeat(3_000_000)); 1")
    said = await lab.until_said("10,000,000 characters", "3,000,000 characters")
    assert max(map(len, said)) < 11_000
    await lab.js("console.log(...Array(20000).fill('y')); console.log(Array(1e6).fill(0)); 1")
    await lab.until_said("more arguments", "Array(1000000)")


@scenario
async def huge_bodies(lab: Lab) -> None:
    lab.bodies["/huge"] = answered(200, b"a" * 8_000_000, Content_Type="text/plain")
    lab.bodies["/larger"] = answered(200, b"b" * 14_000_000, Content_Type="text/plain")
    await lab.open(
        "<script>const get = (url) => fetch(url).then((r) => r.text());"
        "Promise.all([get('/huge'), get('/larger'), fetch('/post', {method: 'POST', "
        "body: 'p'.repeat(5_000_000)}).catch(() => 1)]).then(() => console.log('read'))</script>"
    )
    await lab.until_said("read")
    huge = await lab.until_ended("*/huge")
    assert huge["size"] >= 8_000_000
    content = (await lab.entry(huge["id"], "response.content"))["response"]["content"]
    assert (content["size"], content["truncated"]) == (8_000_000, True)
    assert len(content["text"]) == 2_000_000
    larger = await lab.until_ended("*/larger")
    assert "error" in (await lab.entry(larger["id"], "response.content"))["response"]["content"]
    posted = await lab.entry((await lab.until_ended("*/post"))["id"], "*", "request.postData")
    assert len(json.dumps(posted)) < 1_100_000


@scenario
async def event_stream(lab: Lab) -> None:
    def stream(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        with suppress(OSError):
            for number in range(20):
                handler.wfile.write(f"event: tick\ndata: token={SECRET} {number}\n\n".encode())
                handler.wfile.flush()

    lab.bodies["/stream"] = stream
    await lab.open(
        "<script>const s = new EventSource('/stream'); let n = 0; s.addEventListener('tick', "
        "() => { if (++n === 20) { s.close(); console.log('twenty') } })</script>"
    )
    await lab.until_said("twenty")
    row = await lab.until_ended("*/stream")
    assert row["frames_received"] == 20
    entry = await lab.entry(row["id"], "*", "event_source.messages", "response.content")
    assert SECRET not in json.dumps(entry)
    assert "no body" in json.dumps(entry)


@scenario
async def web_socket(lab: Lab) -> None:
    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    async with serve(echo, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        await lab.open(
            f"""<script>const s = new WebSocket("ws://127.0.0.1:{port}/ws?token={SECRET}");
            let n = 0;
            s.onopen = () => {{ s.send('{{"password": "{SECRET}"}}');
                               s.send(new Uint8Array([1, 2, 3])); s.send("z".repeat(300000)) }};
            s.onmessage = () => {{ if (++n === 3) {{ s.close(); console.log("echoed") }} }};
            new WebSocket("ws://127.0.0.1:1/none");
            </script>"""
        )
        await lab.until_said("echoed")
        row = await lab.until_ended(f"ws://127.0.0.1:{port}/*")
    assert (row["protocol"], row["state"], row["status"]) == ("websocket", "closed", 101)
    assert (row["frames_sent"], row["frames_received"]) == (3, 3)
    entry = await lab.entry(row["id"], "*", "websocket.frames")
    frames = entry["websocket"]["frames"]
    assert [len(frames[way]) for way in ("sent", "received")] == [3, 3]
    assert SECRET not in json.dumps([row, entry])
    assert SECRET in json.dumps(await lab.entry(row["id"], "websocket.frames", reveal=True))
    assert (await lab.until_ended("ws://127.0.0.1:1/none"))["state"] == "failed"


@scenario
async def workers(lab: Lab) -> None:
    inner = lab.serve("console.log('inner worker'); fetch('/from-inner')", ".js")
    outer = lab.serve(
        f"console.log('outer worker'); new Worker('{inner}'); fetch('/from-outer')", ".js"
    )
    service = "self.onfetch = (e) => { if (e.request.url.endsWith('/by-service')) "
    service += "e.respondWith(new Response('made by it')) }; console.log('service worker');"
    service += "self.onactivate = (e) => e.waitUntil(clients.claim())"
    lab.bodies["/service.js"] = service
    await lab.open(
        f"""<script>new Worker("{outer}");
        navigator.serviceWorker.register("/service.js");
        navigator.serviceWorker.ready.then(async () => {{
          if (!navigator.serviceWorker.controller)
            await new Promise((go) => navigator.serviceWorker.oncontrollerchange = go);
          console.log(await (await fetch("/by-service")).text());
        }});</script>"""
    )
    await lab.until_said("outer worker", "inner worker", "made by it")
    for path in ("*/from-inner", "*/from-outer"):
        assert (await lab.until_ended(path))["status"] == 404
    assert (await lab.until_ended("*/by-service"))["status"] == 200
    await lab.js(
        "navigator.serviceWorker.getRegistrations()"
        ".then((all) => Promise.all(all.map((one) => one.unregister()))).then(() => 1)",
        awaits=True,
    )


@scenario
async def frames_of_both_kinds(lab: Lab) -> None:
    inner = lab.serve("<script>console.log('inner ' + location.host); fetch('/by-frame')</script>")
    there = lab.site.replace("127.0.0.1", "localhost")
    await lab.open(
        f"""<iframe src="{inner}"></iframe><iframe src="{there}{inner}"></iframe>
        <iframe srcdoc="<script>console.log('inner srcdoc')</script>"></iframe>
        <iframe sandbox="allow-scripts" src="{inner}"></iframe>
        <iframe src="data:text/html,<script>console.log('inner data')</script>"></iframe>"""
    )
    await lab.until_said("inner 127.0.0.1", "inner localhost", "inner srcdoc", "inner data")
    assert (await lab.until_ended(f"{there}/by-frame"))["status"] == 404
    assert (await lab.until_ended(f"{lab.site}/by-frame"))["status"] == 404


@scenario
async def frames_without_end(lab: Lab) -> None:
    await lab.open("<title>Frames</title>")
    there = lab.site.replace("127.0.0.1", "localhost")
    await lab.js(
        "for (let i = 0; i < 60; i++) { const f = document.createElement('iframe');"
        f"f.src = '{there}/404?' + i; document.body.append(f); if (i % 2) f.remove() }}; 1"
    )
    await lab.js("for (let i = 0; i < 100; i++) new Worker('/404.js?' + i).terminate(); 1")
    await lab.js("console.log('made'); 1")
    await lab.until_said("made")


@scenario
async def dialogs(lab: Lab) -> None:
    await lab.open("<title>Dialogs</title>")
    for code, answer, value in (
        (f"alert('token={SECRET}')", True, None),
        ("confirm('sure?')", False, False),
        ("prompt('name?', 'x')", True, "Ada"),
    ):
        with pytest.raises(Busy) as refused:
            await lab.js(f"window.got = {code}; 1")
        assert SECRET not in json.dumps(refused.value.details)
        with pytest.raises(Busy):
            await lab.js("1")
        row: object = await lab.act("row")
        assert SECRET not in json.dumps(row)
        await lab.act("handle_dialog", accept=answer, text="Ada")

        async def is_closed() -> bool:
            return not (await lab.act("row"))["dialog"]

        await lab.until(is_closed)
        assert await lab.js("got === undefined ? null : got") == value
    said = await lab.said()
    assert SECRET not in str(said)
    assert any(line.startswith("confirm: sure?") for line in said)
    with pytest.raises(NotFound):
        await lab.act("handle_dialog", accept=True, text="")


@scenario
async def leaving_is_asked(lab: Lab) -> None:
    await lab.open("<button id=b>b</button><script>onbeforeunload = () => 'stay'</script>")
    await lab.act("click", selector="#b", selection="")
    for action, arguments in (
        ("navigate", {"url": f"{lab.site}/404"}),
        ("reload", {"ignore_cache": False}),
    ):
        with suppress(Busy):
            await lab.act(action, **arguments)
        assert (await lab.act("row"))["dialog"]["type"] == "beforeunload"
        await lab.act("handle_dialog", accept=False, text="")

        async def is_closed() -> bool:
            return not (await lab.act("row"))["dialog"]

        await lab.until(is_closed)
        assert await lab.js("!!document.querySelector('#b')") is True
    await lab.js("onbeforeunload = null; 1")


@scenario
async def downloads(lab: Lab) -> None:
    name = f"jupyter-ac-test-{token_hex(8)}.sh"
    file = answered(200, b"x" * 1000, Content_Disposition=f"attachment; filename={name}")
    path = lab.serve(file)
    await lab.open(f"<a id=d href='{path}'>get</a>")
    answer = await lab.act("navigate", url=f"{lab.site}{path}")
    assert answer["is_download"] is True or "ABORTED" in str(answer["error"])
    await lab.act("click", selector="#d", selection="")
    assert await lab.js("!!document.querySelector('#d')") is True
    assert (await lab.until_ended(f"*{path}"))["state"] == "failed"
    folder = Path.home() / "Downloads"
    assert not folder.exists() or name not in {each.name for each in folder.iterdir()}


@scenario
async def popups(lab: Lab) -> None:
    inner = lab.serve("<title>Popup</title><script>console.log('in the popup')</script>")
    await lab.open("<title>Opener</title>")
    await lab.js(f"window.w = window.open('{inner}'); 1")
    popup = await lab.popup()
    assert await lab.js("document.title", target=popup) == "Popup"
    told = [each for each in lab.told if each["target"] == popup and each["kind"] == "attached"]
    assert told[0]["launched"] is True
    await lab.js("w.close(); 1")
    await lab.until(lambda: is_gone(lab, popup))


@scenario
async def page_that_closes_itself(lab: Lab) -> None:
    closing = lab.serve("<script>setTimeout(() => window.close(), 200)</script>")
    await lab.open("<title>Opener</title>")
    await lab.js(f"window.open('{closing}'); 1")
    popup = await lab.popup()
    waiting = {"selector": "#never", "text": "", "url": "", "timeout_s": 60.0}
    with pytest.raises((NotConnected, NotFound)):
        await lab.act_in(popup, "wait_for", **waiting)
    await lab.until(lambda: is_gone(lab, popup))
    with pytest.raises(NotConnected):
        await lab.act_in(popup, "console", limit=5, level=None, reveal=False)


@scenario
async def equal_elements_and_shadow_roots(lab: Lab) -> None:
    await lab.open(
        f"""<style>body {{ margin: 0 }}
        button {{ display: block; width: 200px; height: 40px }}</style>
        <button class="b c">one</button>
        <button class="b c" onclick="window.hit = 'two'">two</button><p id=host></p>
        <script>
        const inside = host.attachShadow({{mode: "closed"}});
        inside.innerHTML = `<button class="b c" data-token="{SECRET}">three</button>
          <a href="/x?token={SECRET}">link</a>`;
        document.querySelector = document.querySelectorAll = () => {{ throw new Error("mine") }};
        window.CSS = null; Object.prototype.toJSON = () => "mine"; Array.prototype.map = null;
        </script>"""
    )
    await lab.act("start_inspect")
    for number, y in enumerate((60, 116), 1):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            click = {"type": kind, "x": 20, "y": y, "button": "left", "clickCount": 1}
            await lab.act("cdp", method="Input.dispatchMouseEvent", params=click)

        async def is_chosen(wanted: int = number) -> bool:
            return len(lab.state()["selections"]) == wanted

        await lab.until(is_chosen)
    await lab.act("stop_inspect")
    chosen = lab.state()["selections"]
    assert [chosen[key]["text"] for key in ("1", "2")] == ["two", "three"]
    inside = await lab.act("selection", element_id="2")
    assert SECRET not in json.dumps([inside, chosen])
    await lab.act("click", selector="", selection="1")
    assert await lab.js("window.hit") == "two"
    await lab.act("clear_selections")


@scenario
async def halves_of_surrogate_pairs(lab: Lab) -> None:
    await lab.open("<title>Halves</title><p id=p>x</p>")
    half = "'half \\ud800 and \\udc00'"
    await lab.js(
        f"document.title = {half}; console.log({half}, {{k: {half}}}); p.textContent = {half};"
        f"console.error(new Error({half})); history.replaceState(0, '', '#' + '\\ud800'); 1"
    )
    await lab.until_said("half")
    assert "half" in await lab.js(half)
    assert "half" in (await lab.js(f"({{a: [{half}]}})"))["a"][0]
    with pytest.raises(AcError, match="half"):
        await lab.js(f"throw new Error({half})")
    with pytest.raises(Busy):
        await lab.js(f"alert({half})")
    await lab.act("row")
    await lab.act("handle_dialog", accept=True, text="\ud800")
    found = await lab.act(
        "cdp", method="Runtime.evaluate", params={"expression": half, "returnByValue": True}
    )
    assert "half" in found["result"]["result"]["value"]
    await lab.act("page")
    await lab.act("history")
    await lab.act("type_text", text="\udc00", selector="", selection="", replace=False, press="")
    await lab.act("export_har", reveal=False)
    await lab.act("news")


@scenario
async def navigation_during_every_action(lab: Lab) -> None:
    await lab.open(
        "<input id=i><button id=b>b</button><script>if (location.hash !== '#4')"
        "setTimeout(() => { location.hash = +location.hash.slice(1) + 1; location.reload() }, 30)"
        "</script>"
    )
    actions: list[tuple[str, dict[str, object]]] = [
        ("click", {"selector": "#b", "selection": ""}),
        ("type_text", {"text": "x", "selector": "#i", "selection": "", "replace": True}),
        ("screenshot", {"full": True}),
        ("history", {}),
        ("page", {}),
        ("start_inspect", {}),
        ("stop_inspect", {}),
        ("wait_for", {"selector": "#b", "text": "", "url": "", "timeout_s": 0.5}),
        ("reload", {"ignore_cache": True}),
        ("cdp", {"method": "DOM.getDocument", "params": {}}),
        ("fetch_enable", {}),
        ("fetch_disable", {}),
        ("set_rules", {"rules": {"block": ["*/never"]}}),
        ("clear", {"events": True, "console": True}),
        ("back", {}),
        ("forward", {}),
    ]
    actions[1][1]["press"] = "Enter"
    for action, arguments in actions:
        with suppress(AcError):  # it may be said that the page has gone on
            await lab.act("navigate", url=f"{lab.site}/404?{action}")
            await lab.act("back")
        moving = asyncio.create_task(lab.act("navigate", url=f"{lab.site}/404?during-{action}"))
        with suppress(AcError):
            await lab.act(action, **arguments)
        with suppress(AcError):
            await moving


@scenario
async def document_that_is_held_back(lab: Lab) -> None:
    await lab.open("<title>Here</title>")
    await lab.act("fetch_enable")
    with pytest.raises(Busy, match="paused; resume"):
        await lab.act("navigate", url=f"{lab.site}/404?held")
    (row,) = await lab.requests(state="paused")
    headers = [{"name": "Content-Type", "value": "text/html"}]
    made = {"response_headers": headers, "body": "<title>Made up</title>"}
    await lab.act("fetch_fulfill", row_id=row["id"], **made)

    async def is_there() -> bool:
        return bool((await lab.act("page"))["title"] == "Made up")

    await lab.until(is_there)
    with pytest.raises(Busy, match="paused; resume"):
        await lab.act("reload", ignore_cache=False)


@scenario
async def pages_that_never_stay(lab: Lab) -> None:
    lab.bodies["/again"] = (
        "<title>Again</title><script>setTimeout(() => location.reload())</script>"
    )
    lab.bodies["/refresh"] = "<meta http-equiv=refresh content='0;url=/again'>"
    await lab.act("clear", events=True, console=True)
    await lab.act("navigate", url=f"{lab.site}/refresh")

    async def many() -> bool:
        return len(await lab.requests("*/again")) > 10

    await lab.until(many)
    with suppress(AcError):
        await lab.js("1")
    waiting = {"selector": "title", "text": "", "url": "", "timeout_s": 30.0}
    assert (await lab.act("wait_for", **waiting))["found"] is True


@scenario
async def writes_its_document_anew(lab: Lab) -> None:
    await lab.open("<title>Old</title><script>console.log('before')</script>")
    await lab.js(
        "document.open(); document.write('<title>New</title><p id=n>new</p>"
        "<script>console.log(\"written\")</scr' + 'ipt>'); document.close(); 1"
    )
    await lab.until_said("before", "written")
    assert await lab.js("document.querySelector('#n').textContent") == "new"


@scenario
async def history_without_end(lab: Lab) -> None:
    await lab.open("<title>Start</title>")
    await lab.js("for (let i = 0; i < 300; i++) history.pushState(0, '', '#' + i); 1")
    await lab.js("for (let i = 0; i < 500; i++) document.title = 'Title ' + i; 1")
    shown = await lab.act("history")
    assert 1 < len(shown["entries"]) <= 100
    assert shown["current_index"] == len(shown["entries"]) - 1
    told = [each for each in lab.told if each["kind"] == "state"]
    assert len(told) < 2000


@scenario
async def hostile_names(lab: Lab) -> None:
    title = "</title><img src=x onerror=alert(1)>\u202e\x07" + "T" * 100_000
    await lab.open("<title>x</title>")
    await lab.js(f"document.title = {json.dumps(title)}; 1")
    await lab.js(f"history.replaceState(0, '', '?q=%00%0a{'u' * 100_000}#\u202e<b>'); 1")
    await lab.js("fetch('/' + 'v'.repeat(500_000)).catch(() => console.log('too long')); 1")
    await lab.js(
        "const f = {[`{\\n}`]() { throw new Error('x\\u2028y') }}; try { f['{\\n}']() }"
        "catch (e) { console.error(e) } 1"
    )
    await lab.js("console.log('%c%s%d%o%', 'color: red', 'shown', 'x', 1, 2); 1")
    await lab.until_said("shown", "x\u2028y")
    assert len(json.dumps(lab.state())) < 30_000
    assert max(len(row["url"]) for row in await lab.requests()) < 2100
    assert len(json.dumps(await lab.act("row"))) < 30_000
    assert len(json.dumps(await lab.act("page"))) < 30_000


@scenario
async def replaced_builtins(lab: Lab) -> None:
    await lab.open(
        """<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'">
        <input id=i><button id=b onclick="window.hit = 1">b</button><p>shown</p><script>
        for (const name of ["JSON", "Promise", "fetch", "setTimeout", "console"])
          window[name] = () => { throw new Error("mine") };
        Document.prototype.querySelector = () => { throw new Error("mine") };
        Object.prototype.then = undefined; Function.prototype.call = null;
        String.prototype.split = () => { throw new Error("mine") };
        </script>"""
    )
    assert await lab.js("1 + 1") == 2
    assert await lab.js("({a: 1}).a") == 1
    await lab.act("screenshot", full=False)
    for action, arguments in (
        ("click", {"selector": "#b", "selection": ""}),
        ("wait_for", {"selector": "#b", "text": "", "url": "", "timeout_s": 1.0}),
    ):
        with suppress(AcError):
            await lab.act(action, **arguments)
    answer = await lab.act("wait_for", selector="", text="", url="http*", timeout_s=30.0)
    assert answer["found"] is True


@scenario
async def script_without_end(lab: Lab) -> None:
    other = lab.serve("<title>Other</title>")
    await lab.open("<title>Endless</title><script>console.log('loaded')</script>")
    await lab.js(f"window.open('{other}', '_blank', 'noopener'); 1")
    popup = await lab.popup()
    for leave in ("reload", "navigate"):
        await lab.js("setTimeout(() => { console.log('begins'); for (;;); }); 1")
        await lab.until_said("begins")
        waiting = {"selector": "title", "text": "", "url": "", "timeout_s": 0.3}
        assert (await lab.act("wait_for", **waiting))["found"] is False
        assert await lab.js("document.title", target=popup) == "Other"
        assert len(await lab.requests()) > 0
        if leave == "reload":
            assert (await lab.act("reload", ignore_cache=False))["reloaded"] is True
        else:
            await lab.act("navigate", url=f"{lab.site}{other}")
        await lab.act("clear", events=False, console=True)
    assert await lab.js("document.title") == "Other"


@scenario
async def crash(lab: Lab) -> None:
    await lab.open("<title>Crash</title>")
    waiting = {"selector": "#never", "text": "", "url": "", "timeout_s": 60.0}
    pending = asyncio.create_task(lab.act("wait_for", **waiting))
    with suppress(AcError):
        await lab.act("cdp", method="Page.crash", params={})
    with pytest.raises(NotConnected, match="crashed"):
        await pending
    with pytest.raises(NotConnected, match="crashed"):
        await lab.js("1")
    assert isinstance(await lab.said(), list)
    await lab.act("reload", ignore_cache=False)
    assert (await lab.act("row"))["state"] == "attached"
    assert await lab.js("document.title") == "Crash"


@scenario
async def secrets_everywhere(lab: Lab) -> None:
    token = f"{SECRET}{SECRET}"
    jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + SECRET
    lab.bodies["/api"] = answered(
        200,
        json.dumps({"access_token": SECRET, "nested": {"password": SECRET}}).encode(),
        Content_Type="application/json",
        Set_Cookie=f"sid={SECRET}; HttpOnly",
        X_Auth_Token=SECRET,
    )
    await lab.open(
        f"""<title>Welcome token={SECRET}</title>
        <form><input type=password value="{SECRET}"><input name=csrf value="{SECRET}"></form>
        <script>
        document.cookie = "session={SECRET}";
        history.replaceState(0, "", "?api_key={SECRET}#access_token={SECRET}");
        console.log("password: {SECRET}", {{apiKey: "{SECRET}"}}, "Authorization: Bearer {SECRET}");
        console.error("jwt {jwt}");
        console.log(document.querySelector("form"));
        localStorage.setItem("t", document.forms[0][0].value);
        const send = (url, body, headers) => fetch(url, {{method: "POST", body, headers}});
        Promise.all([
          send("/api?token={SECRET}", JSON.stringify({{password: "{SECRET}"}}),
               {{Authorization: "Bearer {SECRET}", "X-Api-Key": "{SECRET}"}}),
          send("/gone?client_secret={SECRET}", new URLSearchParams({{passwd: "{SECRET}"}})),
          send("/gone?sig={token}", (() => {{ const f = new FormData();
               f.set("password", document.forms[0][0].value); return f }})()),
        ]).then(() => {{ console.log("all sent"); throw new Error("secret={SECRET}") }});
        </script>"""
    )
    await lab.until_said("all sent", "Error")
    rows = await lab.requests()
    ids = [row["id"] for row in rows]
    fields = ("*", "request.postData", "response.content")
    shown = {
        "console": await lab.said(),
        "rows": rows,
        "entries": [await lab.entry(row_id, *fields) for row_id in ids],
        "har": await lab.act("export_har", reveal=False),
        "news": await lab.act("news"),
        "page": await lab.act("page"),
        "history": (await lab.act("history"))["entries"][-1],
        "row": await lab.act("row"),
        "state": lab.state(),
        "reload": await lab.act("reload", ignore_cache=False),
        "wait": await lab.act("wait_for", selector="form", text="", url="", timeout_s=30.0),
        "targets": await lab.client.call("targets", ""),
        "told": [each for each in lab.told if SECRET in json.dumps(each)],
    }
    leaks = [name for name, value in shown.items() if SECRET in json.dumps(value)]
    assert leaks == []
    revealed = await lab.requests(reveal=True)
    assert SECRET in json.dumps(revealed)
    assert SECRET in json.dumps(await lab.rows_of_console(reveal=True))


SOAK = {navigation_during_every_action}
"""Takes seconds; `pages_that_never_stay` does the same to one action."""


@pytest.mark.parametrize(
    "each",
    [
        pytest.param(each, id=each.__name__, marks=[pytest.mark.soak] if each in SOAK else [])
        for each in SCENARIOS
    ],
)
def test_the_page_does_no_harm(lab: Lab, each: Scenario) -> None:
    async def all_of_it() -> None:
        try:
            await each(lab)
        finally:
            await lab.tidy()
        await lab.still_works()

    lab.run(all_of_it())
