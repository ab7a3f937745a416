"""Workers are forked here: how they start by themselves is tested elsewhere."""

from tests.support.worker_fork_server import forked_workers, forked_workers_of_module

__all__ = ["forked_workers", "forked_workers_of_module"]
