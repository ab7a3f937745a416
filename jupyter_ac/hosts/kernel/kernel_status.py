"""`%ac_status`: which repository, model, host and conversation answer a kernel's questions."""

from collections.abc import Mapping
from pathlib import Path

from IPython.core.error import UsageError

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.kernel.cell_questions import CellQuestions, HostState
from jupyter_ac.terminal import terminal_text
from jupyter_ac.version import __version__


def status_text(questions: CellQuestions) -> str:
    """Return some lines of plain text; starts the host, and never raises for what is missing."""
    try:
        lines = host_lines(questions.state())
    except (AcError, UsageError) as error:
        lines = [f"host          none: {error}"]
    return terminal_text("\n".join([f"jupyter_ac    {__version__}", *lines]))


def host_lines(host: HostState) -> list[str]:
    """Describe the state of a running host."""
    model = host.values.get("model")
    process = "" if host.pid is None else f", process {host.pid}"
    return [
        f"repository    {_without_home(host.repository)}",
        f"model         {_model(model if isinstance(model, Mapping) else {})}",
        f"host          jupyter ac stdio{process}",
        f"conversation  {host.values.get('session_id') or 'none'}, {_messages(host.values)}",
    ]


def _without_home(folder: Path) -> str:
    """Return a path for an output that is saved: the user's name is left out."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def _model(model: Mapping[str, object]) -> str:
    name = str(model.get("name") or "")
    if not name:
        return f"none: {model.get('message') or 'choose one in the settings'}"
    return f"{name} (demo: nothing is sent)" if model.get("demo") is True else name


def _messages(values: Mapping[str, object]) -> str:
    messages = values.get("messages")
    count = len(messages) if isinstance(messages, list) else 0
    earlier = values.get("earlier")
    count += earlier if isinstance(earlier, int) else 0
    return f"{count} message" if count == 1 else f"{count} messages"
