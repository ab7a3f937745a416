"""The parts of an index worker."""

from jupyter_ac.worker.index.lifecycle import Basic
from jupyter_ac.worker.index.context import Desk
from jupyter_ac.worker.index.documents import Documents
from jupyter_ac.worker.index.map import Map
from jupyter_ac.worker.index.navigation import Navigation
from jupyter_ac.worker.jobs import Jobs


def part(jobs: Jobs) -> tuple[object, ...]:
    """Make the parts that a worker of this kind serves under one name."""
    desk = Desk(jobs)
    return (Basic(desk), Documents(desk), Navigation(desk), Map(desk))
