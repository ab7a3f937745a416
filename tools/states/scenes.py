"""The states of the panel of which pictures are kept: how a person comes to each of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from playwright.sync_api import expect

from tools.states.stage import Host, Stage

Section = Literal["all", "chat", "files", "context"]
Step = Callable[[Stage], None]

ANSWER: Final = """The mean of a week is an average, $\\bar{t} = \\frac{1}{n}\\sum_{i=1}^{n} t_i$.
Three functions of `weather/summary.py` use it:

| Function | What it gives | Without readings |
|---|---|---|
| `mean` | the average temperature | divides by zero |
| `hottest` | the reading of the hottest day | raises `ValueError` |
| `feels_like` | the wind chill of a reading | is never called |

```python
def mean(readings):
    \"\"\"Return the mean temperature in degrees Celsius.\"\"\"
    if not readings:
        raise ValueError("there are no readings")
    return sum(reading.celsius for reading in readings) / len(readings)
```

1. Say in `mean` that there are no readings.
2. Let `hottest` say the same.

> A caller then needs one `except` only.
"""
STREAMED: Final = (
    "Three places read the file. The first is `weather/readings.py`, which splits each line at "
    "its commas:\n\n```python\ndef parse(line):\n    day, celsius, wind = line.split(',')\n"
)
UNFIT: Final = """I add the unit to the sentence.

weather/summary.py
««« EDIT
def describe(readings):
    return f"{mean(readings)} degrees"
═══════ REPL
def describe(readings):
    return f"{mean(readings)} °C"
»»» EDIT END
"""
COMMAND: Final = (
    "First I run the tests.\n\n@call run_command "
    + json.dumps({"command": "python -m unittest discover --start-directory tests"})
    + "\n"
)
PLAN: Final = {
    "tasks": [
        {
            "id": "units",
            "type": "code_generation",
            "description": "Write every temperature with °C",
        },
        {
            "id": "wind",
            "type": "code_generation",
            "description": "Say the strongest wind in the summary",
            "dependencies": ["units"],
        },
        {
            "id": "chart",
            "type": "code_generation",
            "description": "Let each bar of the chart name its day",
            "dependencies": ["units"],
        },
        {
            "id": "tests",
            "type": "testing",
            "description": "Test the summary and the chart",
            "dependencies": ["wind", "chart"],
        },
    ],
    "explanation": "The units come first, since the summary and the chart show them.",
}


@dataclass(frozen=True)
class State:
    """A state of the panel.

    Attributes:
        name: of its pictures.
        host: the server that shows it.
        section: what a narrow panel shows.
        prepare: what is done once, in a wide panel; it stays for the states after this one.
        open: what is done at each width.
        close: the way back from `open`.
        elsewhere: names of elements that aren't in the same place on all machines.
    """

    name: str
    host: Host
    section: Section = "chat"
    prepare: Step | None = None
    open: Step | None = None
    close: Step | None = None
    elsewhere: frozenset[str] = frozenset()


def _click(name: str, extra: str = "") -> Step:
    return lambda stage: stage.part(name, extra).click()


def _escape(stage: Stage) -> None:
    stage.page.keyboard.press("Escape")


def _begin(stage: Stage) -> None:
    """Begin a new conversation in place of the one that is shown."""
    _click("new-conversation")(stage)
    expect(stage.panel.part("message")).to_have_count(0)
    stage.panel.wait_for("ready")


def _start(stage: Stage) -> None:
    stage.part("example").wait_for()


def _edits(stage: Stage) -> None:
    _click("example-play", '[data-question="say-so"]')(stage)
    stage.panel.wait_for("streaming")
    stage.panel.wait_for("ready")
    expect(stage.panel.part("edit-card", '[data-status="applied"]')).to_have_count(2)


def _commit(stage: Stage) -> None:
    _click("commit")(stage)
    stage.part("commit-message").fill("Say that there are no readings\n\nTest it.")
    stage.part("commit-row").wait_for()


def _list(stage: Stage) -> None:
    _click("context-tab", '[data-tab="list"]')(stage)
    stage.part("breakdown-row").wait_for()


def _tab(name: str, shown: str) -> Step:
    def open_tab(stage: Stage) -> None:
        _click("context-tab", f'[data-tab="{name}"]')(stage)
        stage.part("context-view").locator(shown).first.wait_for()

    return open_tab


def _picker(stage: Stage) -> None:
    stage.panel.tick("web/chart.js", "README.md")
    _click("picker-sets")(stage)
    _click("set-save")(stage)
    stage.part("picker-form").locator("input").fill("the summary and its page")
    stage.page.keyboard.press("Enter")
    expect(stage.panel.part("picker-form")).to_have_count(0)
    expect(stage.panel.part("picker-row", '[data-path="docs/todo.md"]')).to_be_visible()


def _filter(stage: Stage) -> None:
    stage.part("picker-filter").fill("e")


def _unfilter(stage: Stage) -> None:
    stage.part("picker-filter").fill("")


def _menu(stage: Stage) -> None:
    stage.panel.row("weather/summary.py").click(button="right")
    stage.part("picker-popup").wait_for()


def _sets(stage: Stage) -> None:
    _click("picker-sets")(stage)
    stage.part("set-load").wait_for()


def _discard(stage: Stage) -> None:
    _menu(stage)
    _click("picker-action", '[data-action="discard"]')(stage)
    stage.part("picker-confirmation").wait_for()


def _settings(name: str, shown: str) -> Step:
    def open_settings(stage: Stage) -> None:
        _click("settings")(stage)
        stage.page.locator(f'[data-ac="overlay"] [role="tab"][data-tab="{name}"]').click()
        stage.part(shown).wait_for()

    return open_settings


def _models(stage: Stage) -> None:
    """Search: which models are known, and which is installed, isn't the same everywhere."""
    _settings("models", "model-row")(stage)
    stage.part("model-search").fill("gpt-4o-mini")
    expect(stage.part("model-row")).to_have_attribute("data-model", "openai/gpt-4o-mini")


def _leave(name: str) -> Step:
    """Press Escape until it is closed: the first one may empty a field."""

    def leave(stage: Stage) -> None:
        for _ in range(3):
            _escape(stage)
            stage.settle()
            if stage.panel.part(name).count() == 0:
                return
        stage.part(name).wait_for(state="detached")

    return leave


def _sessions(stage: Stage) -> None:
    """Every conversation is of just now: the words for how long ago it was differ in length."""
    stage.page.evaluate("() => { window.dateNow ??= Date.now; Date.now = () => 0; }")
    _click("sessions")(stage)
    stage.part("session-row").wait_for()


def _leave_sessions(stage: Stage) -> None:
    _escape(stage)
    stage.page.evaluate("() => { Date.now = window.dateNow; }")


def _search(stage: Stage) -> None:
    stage.page.keyboard.press("Control+k")
    # The results of the width before would stay until the search begins anew.
    stage.part("search-everywhere").fill("")
    expect(stage.panel.part("search-result")).to_have_count(0)
    stage.part("search-everywhere").fill("mean")
    stage.part("search-result", '[data-kind="symbols"]').wait_for()
    stage.part("search-result", '[data-kind="text"]').wait_for()


def _viewer(stage: Stage) -> None:
    stage.page.keyboard.press("Control+k")
    stage.part("search-everywhere").fill("readings.py")
    stage.part("search-result", '[data-path="weather/readings.py"]').click()
    stage.panel.part("viewer").locator(".cm-content").wait_for()


def _tabs(stage: Stage) -> None:
    stage.part("new-conversation").click(modifiers=["Control"])
    stage.part("tab-new").wait_for()
    stage.panel.wait_for("ready")


def _streaming(stage: Stage) -> None:
    stage.model.answer_as("scripted-pending")
    stage.model.say(STREAMED)
    stage.panel.tick("weather/readings.py")
    stage.panel.ask("Which places read `data/week.csv`?")
    stage.panel.wait_for("streaming")
    expect(stage.panel.message("assistant").last).to_contain_text("line.split(',')")


def _answer(stage: Stage) -> None:
    _click("stop")(stage)
    stage.panel.answer("cancelled")
    _begin(stage)
    stage.say(ANSWER)
    stage.panel.ask("How is the mean of a week worked out, and what happens without readings?")
    stage.panel.answer()
    stage.panel.message("assistant").locator("math").first.wait_for()


def _edit_failed(stage: Stage) -> None:
    _begin(stage)
    stage.say(UNFIT)
    stage.panel.ask("Write the unit behind the temperature.")
    stage.panel.answer()
    expect(stage.part("edit-card")).to_have_attribute("data-status", "failed")


def _question(stage: Stage) -> None:
    _begin(stage)
    stage.part("agent-switch").select_option("agent")
    stage.say(COMMAND, "They all pass.\n")
    stage.panel.ask("Run the tests and mend what fails.")
    stage.part("tool-question").wait_for()


def _plan(stage: Stage) -> None:
    _click("stop")(stage)
    stage.panel.answer("cancelled")
    stage.part("agent-switch").select_option("ask")
    _begin(stage)
    stage.say(json.dumps(PLAN))
    _click("plans-open")(stage)
    stage.part("plan-request").fill("Say the units, the wind and the days everywhere.")
    stage.part("plan-make").click()
    expect(stage.part("plan")).to_have_attribute("data-status", "awaiting_approval")
    _leave("plans")(stage)


def _open_plan(stage: Stage) -> None:
    _click("plans-open")(stage)
    stage.part("plan-task").wait_for()


def _panels(stage: Stage) -> None:
    _click("panels-open")(stage)
    stage.part("panel-state", '[data-state="running"]').wait_for()
    stage.part("panel-tree").get_by_text("Spend").first.wait_for()


def _browser(stage: Stage) -> None:
    _click("browser-open")(stage)
    stage.part("browser-url").wait_for()


def _review(stage: Stage) -> None:
    _click("review-start")(stage)
    stage.part("branch-toggle").wait_for()


def _offline(stage: Stage) -> None:
    stage.servers["model"].end()
    stage.panel.wait_for("offline")
    expect(stage.panel.app).to_contain_text("Nothing answers")


def _plain(stage: Stage) -> None:
    stage.panel.row("beds.md").wait_for()


STATES: Final = (
    State("start", "example", prepare=_start),
    State("edits", "example", prepare=_edits),
    State("commit", "example", open=_commit, close=_leave("commit-form")),
    State("context", "example", "context", open=_list),
    State("drawing", "example", "context", open=_tab("drawing", "[data-ac=icicle-box]")),
    State("changes", "example", "context", open=_tab("changes", "[data-ac=change]")),
    State("picker", "example", "files", prepare=_picker, open=_filter, close=_unfilter),
    State("picker-menu", "example", "files", open=_menu, close=_escape),
    State("picker-sets", "example", "files", open=_sets, close=_escape),
    State("discard", "example", "files", open=_discard, close=_escape),
    State("settings", "example", open=_settings("form", "setting"), close=_leave("overlay")),
    State("keys", "example", open=_settings("keys", "key-row"), close=_leave("overlay")),
    State(
        "models",
        "example",
        open=_models,
        close=_leave("overlay"),
        elsewhere=frozenset({"group", "listbox", "model-row", "option"}),
    ),
    State("sessions", "example", open=_sessions, close=_leave_sessions),
    State("search", "example", open=_search, close=_leave("search-everywhere")),
    State("viewer", "example", open=_viewer, close=_leave("viewer")),
    State("tabs", "example", "all", prepare=_tabs),
    State("streaming", "model", prepare=_streaming),
    State("answer", "model", prepare=_answer),
    State("spending", "model", "context", open=_tab("spending", "[data-ac=spend-chart]")),
    State("edit-failed", "model", prepare=_edit_failed),
    State("question", "model", prepare=_question),
    State("plan", "model", prepare=_plan, open=_open_plan, close=_leave("plans")),
    State("panels", "model", open=_panels, close=_leave("panels")),
    State("browser", "model", open=_browser, close=_leave("browser")),
    State("review", "model", open=_review, close=_leave("review-selector")),
    State("offline", "model", prepare=_offline),
    State("plain", "plain", "all", prepare=_plain),
)
