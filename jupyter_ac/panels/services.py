"""What a panel may ask of the host that runs it: the methods that it was granted, and no others."""

from typing import Final, Protocol

from jupyter_ac.errors import Unsupported
from jupyter_ac.panels.contexts import Context, create_context, use_context


class Services(Protocol):
    """Calls methods of the repository's server."""

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method, such as `Repo.get_file_tree`, and return its result.

        Raises:
            AcError: the method failed, or the panel was not granted it.
        """


class NoServices:
    """Stands for a host that has none."""

    async def call(self, method: str, /, *_args: object) -> object:
        """Refuse.

        Raises:
            Unsupported: always.
        """
        raise Unsupported(
            f"{method} can't be called from here: this panel does not run beside a server of "
            "jupyter_ac."
        )


NO_SERVICES: Final = NoServices()

SERVICES: Final[Context[Services]] = create_context(NO_SERVICES)


def use_services() -> Services:
    """Return what calls the methods of the host; call them in handlers and effects."""
    return use_context(SERVICES)
