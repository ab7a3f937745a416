import time
from datetime import UTC, datetime
from pathlib import Path

from jupyter_ac.builtin_panels.pulse import ACTIVITY, SPEND, plugin
from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.activity import ActivityMethods
from tests.builtin_panels.served_panels import MadeUpServices, shown_panel
from tests.support.repositories import make_repository

TODAY = f"{datetime.now(UTC):%Y-%m-%d}"


def activity(**changed: object) -> dict[str, object]:
    return {
        "head": "f" * 40,
        "days": 90,
        "commits": 3,
        "is_partial": False,
        "by_day": [{"day": TODAY, "commits": 3}],
        "files": [
            {"path": f"src/f{at}.py", "commits": 20 - at, "last_day": TODAY, "exists": at != 1}
            for at in range(12)
        ],
        "more_files": 7,
        "pairs": [
            {"first": "src/f0.py", "second": f"tests/t{at}.py", "together": 9, "share": 0.5}
            for at in range(12)
        ],
        **changed,
    }


def day(usd: float | None, **changed: object) -> dict[str, object]:
    return {
        "day": TODAY,
        "answers": 2,
        "input_tokens": 1000,
        "cached_tokens": 250,
        "output_tokens": 100,
        "usd": usd,
        **changed,
    }


def services(found: object, spend: object) -> MadeUpServices:
    return MadeUpServices({ACTIVITY: found, SPEND: spend})


async def test_files_pairs_commits_and_spend_are_shown() -> None:
    async with shown_panel(plugin, services(activity(), [day(0.5)])) as panel:
        text = panel.host.text()
        for words in (
            *("3 commits", "src/f0.py", "20 commits", "7 other files changed less."),
            *("tests/t0.py", "9 times · 50 %", "$0.50", "2 answers · 1,100 tokens"),
            "25 % of the input from the cache",
        ):
            assert words in text, words
        assert "src/f10.py" not in text
        await panel.press("Show all 12")
        assert "src/f11.py" in panel.host.text()
        charts = panel.host.find(lambda node: "most on" in str(node["props"].get("aria-label")))
        assert charts["props"]["role"] == "img"
        assert panel.host.find(lambda node: node["props"].get("title") == "src/f1.py (gone)")


async def test_another_time_is_asked_for() -> None:
    made = services(activity(), [day(0.5)])
    async with shown_panel(plugin, made) as panel:
        await panel.choose("Period", "365")
        await panel.until(lambda: made.called(SPEND)[-1] == (365,))
        assert made.called(ACTIVITY) == [(90,), (365,)]
        await panel.press("Refresh")
        await panel.until(lambda: len(made.called(SPEND)) == 3)


async def test_what_is_empty_or_not_known_is_said() -> None:
    empty = activity(commits=0, by_day=[], files=[], pairs=[])
    async with shown_panel(plugin, services(empty, [])) as panel:
        assert "No commits in this time." in panel.host.text()
        assert "No answers of a model in this time." in panel.host.text()
    some = activity(pairs=[], is_partial=True, more_files=0)
    async with shown_panel(plugin, services(some, [day(None)])) as panel:
        assert "No two files" in panel.host.text()
        assert "the newest are counted" in panel.host.text()
        assert "price not known" in panel.host.text()
    async with shown_panel(plugin, services(some, [day(None), day(0.25)])) as panel:
        assert "Some answers have no known price." in panel.host.text()


async def test_what_fails_is_said_and_tried_again() -> None:
    made = services(GitError("git can't read the history: broken"), [day(0.5)])
    async with shown_panel(plugin, made) as panel:
        assert "git can't read the history: broken" in panel.host.text()
        assert "$0.50" in panel.host.text()
        made.put(ACTIVITY, activity())
        await panel.press("Try again")
        await panel.until_text("src/f0.py")
        assert "broken" not in panel.host.text()


async def test_a_real_repository_is_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "1\n"})
    folder.clock = int(time.time()) - 3600
    folder.write("a.py", "2\n")
    folder.commit("two")
    methods = ActivityMethods(await discover(folder.root))
    async with shown_panel(plugin, services(methods.get_activity, [])) as panel:
        await panel.until_text("a.py")
        assert "1 commit" in panel.host.text()
