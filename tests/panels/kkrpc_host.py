"""What a plugin on kkrpc calls in the tests."""

from jupyter_ac.errors import Busy
from jupyter_ac.rpc.methods import Access, Handler, MethodTable, NamedMethods, method
from tests.panels.memory_host import MemoryHost


class Host:
    """What a plugin calls: a host in memory, and methods that answer."""

    def __init__(self) -> None:
        self.memory = MemoryHost()

    @method(Access.EXECUTE)
    def update_tree(self, tree: object) -> None:
        self.memory.send("updateTree", tree)

    @method(Access.EXECUTE)
    def apply_mutations(self, batch: list[dict[str, object]]) -> None:
        self.memory.send("applyMutations", batch)

    @method(Access.EXECUTE)
    def log(self, level: str, args: list[object]) -> None:
        self.memory.send("log", level, args)

    @method(Access.READ)
    def add(self, a: int, b: int) -> int:
        return a + b

    @method(Access.READ)
    def fails(self) -> None:
        raise Busy("another one is running")

    @method(Access.READ)
    def crashes(self) -> None:
        raise RuntimeError("secret")

    @method(Access.READ)
    def echo(self, value: object) -> object:
        return value

    def methods(self) -> MethodTable:
        """Give them their names of the protocol."""
        names: dict[str, Handler] = {
            "updateTree": self.update_tree,
            "applyMutations": self.apply_mutations,
            "log": self.log,
            "add": self.add,
            "fails": self.fails,
            "crashes": self.crashes,
            "echo": self.echo,
        }
        return MethodTable(NamedMethods(names, lambda name: name))
