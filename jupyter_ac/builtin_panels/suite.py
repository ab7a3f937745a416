"""The panel *Tests*: finds and runs the tests of the repository by pytest.

What runs is asked for by the server, as for the agent. The panel shows what comes of it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, cast

from jupyter_ac.builtin_panels.loading import use_loaded
from jupyter_ac.builtin_panels.looks import (
    COLORS,
    OUTPUT,
    PANEL,
    ROW,
    SMALL,
    button,
    hint,
    plural,
    problem,
    section,
    status,
)
from jupyter_ac.builtin_panels.suite_actions import (
    ADD,
    COLLECT,
    GET_OUTPUT,
    NOTHING_SAID,
    RUN,
    STOP,
    Said,
    SuiteActions,
    nodes_to_run,
)
from jupyter_ac.builtin_panels.suite_list import suite_list
from jupyter_ac.builtin_panels.suite_news import NEWS, FollowedSuite, use_suite
from jupyter_ac.builtin_panels.suite_row import MARKS, duration, progress
from jupyter_ac.builtin_panels.suite_tree import FAILED, SuiteNode
from jupyter_ac.panels import Plugin, component, html, use_memo, use_services, use_state
from jupyter_ac.suite_rows import Outcome, OutcomeOutput, SuiteCommand, SuiteRun, SuiteState

COMMAND: Final = "Tests.get_command"

_ADD_ALL: Final = "Add all failures to your next question"


@component
def suite_panel() -> object:
    """Show the tests."""
    services = use_services()
    command = use_loaded(COMMAND)
    suite = use_suite()
    said, set_said = use_state(NOTHING_SAID)
    chosen, choose = use_state("")
    is_outside, set_outside = use_state(initial=False)
    actions = use_memo(lambda: SuiteActions(services, set_said), (services,))
    actions.is_outside = is_outside
    node = suite.tree.get(chosen) if chosen else None
    how = cast("SuiteCommand | None", command.value)
    return html.div(
        {"style": PANEL},
        problem(command.problem, command.reload) if command.problem else None,
        _command(how),
        _toolbar(suite, actions, is_off=how is None or bool(how["problem"])),
        html.label(
            {"style": {**ROW, **SMALL}},
            html.input({"type": "checkbox", "checked": is_outside, "onChange": set_outside}),
            "Outside of the sandbox",
        ),
        problem(suite.problem, suite.retry) if suite.problem else None,
        status(run_words(suite.run, suite.tree.counts)),
        progress(suite.tree.counts) if suite.tree.total else None,
        _said(said, lambda: set_said(NOTHING_SAID)),
        suite_list(suite.tree, suite.left_out, chosen, choose, actions, key="list"),
        _details(node, actions, lambda: choose("")) if node else None,
        pytest_output(suite.run["run_id"], suite.run["state"], key=suite.run["run_id"])
        if suite.run and not suite.is_active
        else None,
    )


def run_words(run: SuiteRun | None, counts: Counter[Outcome]) -> str:
    """Say how the last run goes or has gone, and what came of all tests."""
    if run is None:
        return "Nothing has run yet." if not counts.total() else outcome_words(counts)
    state, took = run["state"], run["duration_ms"]
    if state == "asking":
        return "Waits for your consent: jupyter_ac asks you here in the page."
    if state == "running":
        doing = "Finding tests" if run["kind"] == "collect" else "Running"
        left = counts["waiting"] + counts["running"]
        more = f"; {left:,} to go" if left and run["kind"] == "run" else ""
        return f"{doing} … {outcome_words(counts)}{more}".rstrip()
    message = f"Not run: {run['message']}" if state == "refused" else run["message"]
    words = outcome_words(counts)
    if words and took and state == "done" and run["kind"] == "run":
        words += f" in {duration(took)}"
    return " ".join(filter(None, (message, words)))


def outcome_words(counts: Counter[Outcome]) -> str:
    """Say how many tests had which outcome: `3 passed, 1 failed`."""
    total = counts.total()
    named = {
        "failed": sum(counts[outcome] for outcome in FAILED),
        "passed": counts["passed"] + counts["xpassed"],
        "skipped": counts["skipped"] + counts["xfailed"],
    }
    parts = [f"{count:,} {word}" for word, count in named.items() if count]
    if not parts:
        return plural(total, "test") if total else ""
    return f"{', '.join(parts)} of {total:,}"


def _command(how: SuiteCommand | None) -> object:
    if how is None:
        return hint("Looking how tests are run …")
    if how["problem"]:
        return hint(how["problem"])
    return hint(html.code(how["command"]), f": {how['reason']}.")


def _said(said: Said, close: Callable[[], None]) -> object:
    if said.is_problem:
        return problem(said.words, close, retry_words="Close")
    return status(said.words) if said.words else None


def _toolbar(suite: FollowedSuite, actions: SuiteActions, *, is_off: bool) -> object:
    failed = suite.tree.failed() if suite.tree.total else []
    is_off = is_off or suite.is_active
    return html.div(
        {"role": "group", "aria-label": "Runs", "style": ROW},
        button("Run all", actions.run_all, is_off=is_off),
        button(
            f"Failed again ({len(failed):,})",
            lambda: actions.run(nodes_to_run(failed)),
            is_off=is_off or not failed,
            title=f"Run {plural(len(failed), 'failed test')} again",
        ),
        button("Find tests", actions.collect, is_off=is_off),
        button("Stop", actions.stop) if suite.is_active else None,
        button("Failures → question", lambda: actions.add(failed), title=_ADD_ALL)
        if failed and not suite.is_active
        else None,
    )


def _details(node: SuiteNode, actions: SuiteActions, close: object) -> object:
    _, tone, said = MARKS[node.outcome]
    time = f" in {duration(node.duration_ms)}" if node.duration_ms else ""
    has_failed = node.outcome in FAILED
    return section(
        node.name,
        html.p({"style": {**SMALL, "color": COLORS[tone]}}, f"{said}{time}"),
        html.p({"style": SMALL}, html.code(node.id)),
        test_output(node.id, key=f"{node.id} {node.outcome} {node.duration_ms}")
        if node.has_output
        else hint("It has said nothing."),
        html.div(
            {"style": ROW},
            button("Error → question", lambda: actions.add([node])) if has_failed else None,
            button("Run it", lambda: actions.run([node.id])),
        ),
        aside=html.button({"type": "button", "aria-label": "Close", "onClick": close}, "✕"),
    )


@component(memo=True)
def test_output(test_id: str) -> object:
    """Show why a test has failed, and what it has printed."""
    output = use_loaded(GET_OUTPUT, test_id)
    if output.problem:
        return problem(output.problem, output.reload)
    if output.value is None:
        return hint("Loading …")
    text = cast("OutcomeOutput", output.value)["text"]
    props = {"tabIndex": 0, "aria-label": "Output", "style": OUTPUT}
    return html.pre(props, text) if text else hint("It has said nothing.")


@component(memo=True)
def pytest_output(run_id: str, state: SuiteState) -> object:
    """Show what pytest itself has said, if wanted; at once after a run that has failed."""
    is_open, set_open = use_state(initial=state == "failed")
    return html.div(
        {"style": {**PANEL, "gap": 4}},
        html.div(
            html.button(
                {
                    "type": "button",
                    "aria-expanded": is_open,
                    "onClick": lambda: set_open(lambda was: not was),
                },
                "What pytest said",
            )
        ),
        test_output("", key=run_id) if is_open else None,
    )


plugin = Plugin(
    suite_panel,
    name="tests",
    title="Tests",
    calls=(COMMAND, NEWS, GET_OUTPUT, RUN, COLLECT, STOP, ADD),
)
