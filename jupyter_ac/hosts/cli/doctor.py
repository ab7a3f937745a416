"""`jupyter ac doctor`: checks the installation and the configuration, and suggests fixes."""

import asyncio
import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.checks import (
    configuration,
    frontend,
    index,
    kernels,
    models,
    programs,
    servers,
    storage,
)
from jupyter_ac.hosts.cli.checks.context import (
    Check,
    CheckContext,
    CheckResult,
    CheckState,
    NotChecked,
    fail,
    look_around,
    warn,
)
from jupyter_ac.hosts.cli.signals import INTERRUPTING, until_signal
from jupyter_ac.version import __version__
from jupyter_ac.workers.redaction import hidden_in, redact

LIMIT_S: Final = 90.0
"""For one check, whatever it waits for."""

END_S: Final = 15.0
"""For what it has started to end."""

CHECKS: Final = (
    Check("git", programs.git),
    Check("python", programs.python),
    Check("repository", programs.repository),
    Check("git programs", programs.configured),
    Check("versions", frontend.versions),
    Check("side panel", frontend.labextension),
    Check("server extension", servers.extension),
    Check("running servers", servers.running),
    Check("socket", servers.socket),
    Check("subshells", kernels.subshells),
    Check("keys", models.keys),
    Check("model", models.chosen),
    Check("model reachable", models.reachable),
    Check("demo model", models.demo),
    Check("settings", configuration.settings),
    Check("administrator", configuration.administrator),
    Check("state", storage.state),
    Check("disk", storage.disk),
    Check("watching", storage.watching),
    Check("cache", storage.cache),
    Check("index", index.index),
)

_AGAIN: Final = "Correct that, and run `jupyter ac doctor` again."
_REPORT: Final = "Please report it with this line."
_NAME_WIDTH: Final = max(len(check.name) for check in CHECKS) + 1


def run(options: Namespace) -> int:
    """Look, and say what was found; 1 when something fails."""
    return asyncio.run(until_signal(_run_checks(options), INTERRUPTING))


async def _run_checks(options: Namespace) -> int:
    here = await look_around(os.environ, options.repo.absolute(), HostOptions(options.model))
    secrets = hidden_in(here.plan.environment) if here.chosen is not None else []
    rows: list[tuple[Check, CheckResult]] = []
    for check in CHECKS:
        # One after another: two that ask the same program would wait for each other anyway.
        finding = _masked(await examine(check, here), secrets)
        rows.append((check, finding))
        if not options.json:
            print("\n".join(_lines(check, finding)), flush=True)
    failed = sum(finding.state is CheckState.FAIL for _, finding in rows)
    if options.json:
        json.dump(_report(rows), sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        print(f"\n{failed} of {len(rows)} checks failed." if failed else "\nNothing fails.")
    return exit_codes.FAILED if failed else exit_codes.DONE


async def examine(check: Check, here: CheckContext) -> CheckResult:
    """Look; whatever goes wrong is a finding."""
    looking = asyncio.ensure_future(check.look(here))
    try:
        await asyncio.wait({looking}, timeout=LIMIT_S)
    finally:
        if looking.cancel():
            await asyncio.wait({looking}, timeout=END_S)
    if not looking.done() or looking.cancelled():
        return fail(f"no result within {LIMIT_S:g} s", "Try it again.")
    return looking.result() if (error := looking.exception()) is None else _failure(error)


def _failure(error: BaseException) -> CheckResult:
    match error:
        case NotChecked():
            return warn(f"not checked: {error}", "Correct that first.")
        case AcError():
            return fail(*_parted(str(error) or type(error).__name__))
        case _:
            return fail(f"the check broke: {type(error).__name__}: {error}", _REPORT)


def _parted(message: str) -> tuple[str, str]:
    """Part an error's message into what is wrong and what to do, which most name at the end."""
    for separator in ("; ", ". "):
        wrong, _, remedy = message.partition(separator)
        if remedy:
            return f"{wrong}.", remedy[0].upper() + remedy[1:]
    return message, _AGAIN


def _lines(check: Check, finding: CheckResult) -> list[str]:
    label = f"{check.name}:"
    lines = [f"{finding.state:4}  {label:{_NAME_WIDTH}} {finding.text}"]
    if finding.remedy:
        lines.append(f"      {'':{_NAME_WIDTH}} → {finding.remedy}")
    return [*lines, *(f"      {'':{_NAME_WIDTH}} {line}" for line in finding.details)]


def _report(rows: Sequence[tuple[Check, CheckResult]]) -> dict[str, object]:
    return {
        "version": __version__,
        "ok": all(finding.state is not CheckState.FAIL for _, finding in rows),
        "checks": [
            {
                "name": check.name,
                "state": finding.state,
                "finding": finding.text,
                "remedy": finding.remedy,
                "details": list(finding.details),
            }
            for check, finding in rows
        ],
    }


def _masked(finding: CheckResult, secrets: Sequence[str]) -> CheckResult:
    """Hide what is or looks like a secret; what was found stays one line."""
    details = tuple(redact(" ".join(line.splitlines()), secrets) for line in finding.details)
    text, remedy = (
        redact(" ".join(said.split()), secrets) for said in (finding.text, finding.remedy)
    )
    return CheckResult(finding.state, text, remedy, details)
