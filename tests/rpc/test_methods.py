"""Which methods are remotely callable."""

import inspect

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.methods import Access, Method, MethodTable, Namespace, method


class Reading:
    """A part."""

    @method(Access.READ)
    def read(self, path: str, version: str | None = None) -> str:
        """Give the text."""
        return f"{path}@{version}"

    def unmarked(self) -> None:
        raise AssertionError

    @staticmethod
    @method(Access.READ)
    def quiet() -> None:
        return None


class Writing(Reading):
    """A part that inherits marked methods."""

    @method(Access.WRITE)
    async def write(self, *paths: str) -> int:
        return len(paths)


def test_marked_methods_are_listed_with_inherited_and_static_ones() -> None:
    table = MethodTable(Namespace("Repo", Writing()))
    assert set(table) == {"Repo.read", "Repo.quiet", "Repo.write"}
    assert len(table) == 3


def test_a_method_tells_its_access_signature_and_first_line() -> None:
    found = MethodTable(Namespace("Repo", Writing()))["Repo.read"]
    assert found.access is Access.READ
    assert list(found.signature.parameters) == ["path", "version"]
    assert found.doc == "Give the text."
    assert found.handler("a") == "a@None"


def test_a_method_knows_how_many_arguments_it_takes() -> None:
    table = MethodTable(Namespace("Repo", Writing()))
    read, write = table["Repo.read"], table["Repo.write"]
    assert (read.required, read.accepted, read.is_async) == (1, 2, False)
    assert (write.required, write.accepted, write.is_async) == (0, None, True)


def test_aliases_answer_under_every_name() -> None:
    table = MethodTable(Namespace("LLMService", Reading(), aliases=("LLM", "LiteLLM")))
    assert {name.partition(".")[0] for name in table} == {"LLMService", "LLM", "LiteLLM"}
    assert table["LLM.read"].handler("a") == "a@None"
    assert table["LLM.read"].name == "LLM.read"


def test_two_parts_with_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Repo\.quiet is defined twice"):
        Namespace("Repo", Reading(), Writing())


def test_two_namespaces_with_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="defined twice"):
        MethodTable(Namespace("Repo", Reading()), Namespace("Repo", Reading()))


def test_a_private_name_cannot_be_marked() -> None:
    class Part:
        @method(Access.READ)
        def _hidden(self) -> None:
            raise AssertionError

    with pytest.raises(ValueError, match="_hidden is private"):
        Namespace("Repo", Part())


def test_an_argument_that_no_client_can_give_is_refused() -> None:
    def needy(*, secret: str) -> str:
        return secret

    with pytest.raises(ValueError, match="keyword-only"):
        Method.of("N.needy", needy, Access.READ)


def test_a_property_is_not_run_while_a_part_is_listed() -> None:
    class Part:
        @property
        def trap(self) -> object:
            raise AssertionError

        @method(Access.READ)
        def fine(self) -> None:
            return None

    assert set(MethodTable(Namespace("N", Part()))) == {"N.fine"}


def test_a_method_can_be_made_of_any_function() -> None:
    made = Method.of("N.len", len, Access.READ)
    assert made.required == 1
    assert made.doc.startswith("Return")


async def _awaited(result: object) -> object:
    assert inspect.isawaitable(result)
    return await result


async def test_what_is_refused_is_not_listed_and_says_why() -> None:
    table = MethodTable(Namespace("Repo", Writing(), aliases=("R",)))
    table.refuse(lambda found: found.key == "Repo.write", NotFound, "There is no disk.")
    assert set(table) == {"Repo.read", "Repo.quiet", "R.read", "R.quiet"}
    for name in ("Repo.write", "R.write"):
        found = table[name]
        assert found.access is Access.WRITE
        assert (found.required, found.accepted, found.is_async) == (0, None, True)
        with pytest.raises(NotFound, match=r"There is no disk\."):
            await _awaited(found.handler("a"))
    with pytest.raises(KeyError):
        table["Repo.none"]
