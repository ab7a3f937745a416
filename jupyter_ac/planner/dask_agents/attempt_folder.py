"""The folder by which a worker and the child of an attempt speak: its files, and the job."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.ids import RepoPath

JOB: Final = "job.json"
SENT: Final = "sent.bundle"
ANSWER: Final = "answer.json"
RETURNED: Final = "returned.bundle"


@dataclass(frozen=True, slots=True)
class Job:
    """What an agent on another machine is to do.

    Attributes:
        prompt: for the agent.
        model: to use; "" for the one of that machine.
        allowed: commands that it may run without asking, as one line each.
        excluded: files and folders of which nothing is sent to a model.
        max_steps: of its run.
        max_usd: likewise.
    """

    prompt: str
    model: str
    allowed: tuple[str, ...]
    excluded: tuple[RepoPath, ...]
    max_steps: int
    max_usd: float


def write_job(folder: Path, job: Job) -> None:
    """Put a job into a folder; raises OSError."""
    (folder / JOB).write_text(json.dumps(asdict(job)), encoding="utf-8")


def read_job(folder: Path) -> Job:
    """Return the job of a folder; raises OSError."""
    read = json.loads((folder / JOB).read_text(encoding="utf-8"))
    lists = {name: tuple(read[name]) for name in ("allowed", "excluded")}
    return Job(**{**read, **lists})
