"""The panel *Pulse*: what changes in the repository, what changes together, and what it costs."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, cast

from jupyter_ac.activity_rows import FilePairRow, HotFileRow, RepoActivity
from jupyter_ac.builtin_panels.charts import column_chart, columns_by_day
from jupyter_ac.builtin_panels.loading import Loaded, use_loaded
from jupyter_ac.builtin_panels.looks import (
    PANEL,
    ROW,
    SMALL,
    TABULAR,
    bar,
    button,
    choice,
    hint,
    path_text,
    plural,
    problem,
    section,
)
from jupyter_ac.panels import Plugin, component, html, use_state
from jupyter_ac.usage_rows import DaySpend

PERIODS: Final = (("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "a year"))
SHOWN: Final = 10
"""Rows of a list, until more are asked for."""

ACTIVITY: Final = "Repo.get_activity"
SPEND: Final = "LLMService.get_spend_by_day"


@component
def pulse_panel(days: int = 90) -> object:
    """Show the activity and the spend of the last days."""
    chosen, choose = use_state(days)
    activity = use_loaded(ACTIVITY, chosen)
    spend = use_loaded(SPEND, chosen)

    def reload() -> None:
        activity.reload()
        spend.reload()

    is_loading = activity.is_loading or spend.is_loading
    return html.div(
        {"style": {**PANEL, "gap": 14}},
        html.div(
            {"style": ROW},
            choice("Period", str(chosen), PERIODS, lambda value: choose(int(value))),
            button("Refresh", reload, is_off=is_loading),
            html.span({"role": "status", "style": SMALL}, "Loading …" if is_loading else ""),
        ),
        _activity(activity),
        _spend(spend, chosen),
    )


def _activity(loaded: Loaded) -> object:
    failed = problem(loaded.problem, loaded.reload) if loaded.problem else None
    if not isinstance(loaded.value, dict):
        return section("Commits", failed or hint("Reading the history …"))
    found = cast("RepoActivity", loaded.value)
    if not found["commits"]:
        return section("Commits", failed, hint("No commits in this time."))
    return html.div(
        {"style": {**PANEL, "gap": 14}},
        failed,
        daily_commits(found, key="commits"),
        hot_files(found["files"], found["more_files"], key="files"),
        file_pairs(found["pairs"], key="pairs"),
    )


@component(memo=True)
def daily_commits(found: RepoActivity) -> object:
    """Show how many commits were made each day."""
    by_day = {row["day"]: float(row["commits"]) for row in found["by_day"]}
    total = plural(found["commits"], "commit")
    columns = columns_by_day(by_day, found["days"], datetime.now(UTC).date())
    busiest = max(found["by_day"], key=lambda row: row["commits"])
    label = f"{total} in {found['days']} days; most on {busiest['day']}: {busiest['commits']}"
    return section(
        "Commits",
        column_chart(columns, label, "{:,.0f} commits"),
        hint("More were made; the newest are counted.") if found["is_partial"] else None,
        aside=html.span({"style": {**SMALL, **TABULAR}}, total),
    )


@component(memo=True)
def hot_files(files: Sequence[HotFileRow], more: int) -> object:
    """Show the files that change most."""
    count, set_count = use_state(SHOWN)
    most = files[0]["commits"] if files else 1
    rows = [
        html.li(
            {"key": row["path"], "style": _ITEM},
            html.div(
                {"style": _LINE},
                path_text(row["path"], is_gone=not row["exists"]),
                html.span(
                    {"style": {**SMALL, **TABULAR}, "title": f"last on {row['last_day']}"},
                    plural(row["commits"], "commit"),
                ),
            ),
            bar(row["commits"] / most),
        )
        for row in files[:count]
    ]
    return section(
        "Files that change most",
        html.ol({"style": _LIST}, rows),
        _more(count, len(files), set_count),
        hint(f"{plural(more, 'other file')} changed less.") if more else None,
    )


@component(memo=True)
def file_pairs(pairs: Sequence[FilePairRow]) -> object:
    """Show the files that change together."""
    count, set_count = use_state(SHOWN)
    if not pairs:
        return section(
            "Files that change together",
            hint("No two files were changed by the same commit more than once."),
        )
    rows = [
        html.li(
            {"key": f"{row['first']}\n{row['second']}", "style": _ITEM},
            path_text(row["first"]),
            html.div(
                {"style": _LINE},
                path_text(row["second"]),
                html.span({"style": {**SMALL, **TABULAR}}, _together(row)),
            ),
            bar(row["share"], "good"),
        )
        for row in pairs[:count]
    ]
    return section(
        "Files that change together",
        html.ol({"style": _LIST}, rows),
        _more(count, len(pairs), set_count),
    )


def _together(row: FilePairRow) -> str:
    return f"{row['together']} times · {100 * row['share']:.0f} %"


def _spend(loaded: Loaded, days: int) -> object:
    failed = problem(loaded.problem, loaded.reload) if loaded.problem else None
    if not isinstance(loaded.value, list):
        return section("Spend", failed or hint("Reading the conversations …"))
    rows = cast("list[DaySpend]", loaded.value)
    if not rows:
        return section("Spend", failed, hint("No answers of a model in this time."))
    return html.div({"style": PANEL}, failed, daily_spend(rows, days, key="spend"))


@component(memo=True)
def daily_spend(rows: Sequence[DaySpend], days: int) -> object:
    """Show what the answers have used each day."""
    costs = [row["usd"] for row in rows]
    known = [cost for cost in costs if cost is not None]
    tokens = sum(row["input_tokens"] + row["output_tokens"] for row in rows)
    cached = sum(row["cached_tokens"] for row in rows)
    sent = sum(row["input_tokens"] for row in rows)
    answers = plural(sum(row["answers"] for row in rows), "answer")
    money = f"${sum(known):,.2f}" if known else "price not known"
    today = datetime.now().astimezone().date()
    if known:
        by_day = {row["day"]: row["usd"] or 0.0 for row in rows}
        unit = "${:,.4f}"
    else:
        by_day = {row["day"]: float(row["input_tokens"] + row["output_tokens"]) for row in rows}
        unit = "{:,.0f} tokens"
    label = f"{money}, {tokens:,} tokens in {days} days"
    return section(
        "Spend",
        column_chart(columns_by_day(by_day, days, today), label, unit, "odd"),
        html.p(
            {"style": {**SMALL, **TABULAR}},
            f"{answers} · {tokens:,} tokens"
            + (f" · {100 * cached / sent:.0f} % of the input from the cache" if sent else ""),
        ),
        hint("Some answers have no known price.") if known and None in costs else None,
        aside=html.span({"style": {**SMALL, **TABULAR}}, money),
    )


def _more(count: int, whole: int, set_count: Callable[[int], None]) -> object:
    if count >= whole:
        return None
    return html.div(button(f"Show all {whole}", lambda: set_count(whole)))


_LIST: Final = {"listStyle": "none", "margin": 0, "padding": 0, "display": "grid", "gap": 6}
_ITEM: Final = {"minWidth": 0, "display": "grid", "gap": 2, "gridTemplateColumns": "100%"}
_LINE: Final = {"display": "flex", "gap": 8, "alignItems": "baseline", "minWidth": 0}

plugin = Plugin(pulse_panel, name="pulse", title="Pulse", calls=(ACTIVITY, SPEND))
