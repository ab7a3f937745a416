"""The parts of an index worker."""

from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.worker.index.documents import Documents
from jupyter_ac.worker.index.lifecycle import Basic
from jupyter_ac.worker.index.map import Map
from jupyter_ac.worker.index.navigation import NavigationWorker
from jupyter_ac.worker.jobs import Jobs


def part(jobs: Jobs) -> tuple[object, ...]:
    """Create the parts that a worker of this kind serves in one namespace."""
    context = IndexContext(jobs)
    return (Basic(context), Documents(context), NavigationWorker(context), Map(context))
