"""The hosts of the kernels here have workers from the fork server."""

from tests.support.worker_fork_server import forked_workers, forked_workers_of_module

__all__ = ["forked_workers", "forked_workers_of_module"]
