import pytest

from jupyter_ac.builtin_panels.suite_actions import (
    ADD,
    COLLECT,
    GET_OUTPUT,
    MAX_ADDED,
    MAX_NODES,
    RUN,
    STOP,
    Said,
    SuiteActions,
    nodes_to_run,
)
from jupyter_ac.builtin_panels.suite_tree import SuiteNode, SuiteTree
from jupyter_ac.errors import Busy
from tests.builtin_panels.served_panels import MadeUpServices
from tests.builtin_panels.test_suite_tree import FILE, row


def failed(count: int, files: int = 1) -> list[SuiteNode]:
    tree = SuiteTree()
    tree.update(row(f"f{at % files}.py::t{at}", "failed", at) for at in range(count))
    return tree.failed()


def made(**answers: object) -> tuple[MadeUpServices, SuiteActions, list[Said]]:
    services = MadeUpServices(
        {
            RUN: {},
            COLLECT: {},
            STOP: True,
            GET_OUTPUT: lambda name: {"id": name, "text": f"why {name}"},
            ADD: {"id": "1"},
            **answers,
        }
    )
    said: list[Said] = []
    return services, SuiteActions(services, said.append), said


async def test_runs_are_begun_and_stopped() -> None:
    services, actions, _ = made()
    await actions.run_all()
    await actions.run(["a::b"])
    actions.is_outside = True
    await actions.collect()
    await actions.run(["c"])
    await actions.stop()
    assert services.calls == [
        (RUN, ([], False)),
        (RUN, (["a::b"], False)),
        (COLLECT, (True,)),
        (RUN, (["c"], True)),
        (STOP, ()),
    ]


async def test_what_fails_is_said() -> None:
    _, actions, said = made(**{RUN: Busy("Tests are running already.")})
    await actions.run_all()
    assert said[-1] == Said("Tests are running already.", is_problem=True)


async def test_a_failure_is_added_to_the_question_under_its_name() -> None:
    services, actions, said = made()
    tree = SuiteTree()
    tree.update([row(f"{FILE}::Shape::test_a", "failed")])
    await actions.add(tree.failed())
    (item,) = services.called(ADD)[0]
    assert item == {
        "kind": "error",
        "name": "test_a",
        "text": f"{FILE}::Shape::test_a: failed\nwhy {FILE}::Shape::test_a",
        "source": FILE,
    }
    assert said[-1] == Said("Added to your next question.")


async def test_many_failures_are_added_as_one_within_bounds() -> None:
    long = {"id": "", "text": "x" * 50_000 + "the end"}
    services, actions, _ = made(**{GET_OUTPUT: long})
    await actions.add(failed(30))
    (item,) = services.called(ADD)[0]
    assert isinstance(item, dict)
    assert item["name"] == "30 failed tests"
    assert len(services.called(GET_OUTPUT)) == MAX_ADDED
    assert len(item["text"]) < 100_000
    assert item["text"].endswith("20 more tests failed.")
    assert item["text"].count("the end") == MAX_ADDED


async def test_a_refusal_is_said() -> None:
    _, actions, said = made(**{ADD: {"error": "At most 20 things can be added."}})
    await actions.add(failed(1))
    assert said[-1] == Said("At most 20 things can be added.", is_problem=True)


@pytest.mark.parametrize(
    ("count", "files", "expected"),
    [(3, 1, 3), (MAX_NODES + 1, 5, 5), (MAX_NODES + 1, MAX_NODES + 1, 0)],
)
def test_failed_tests_are_named_or_their_files_or_all_run(
    count: int, files: int, expected: int
) -> None:
    assert len(nodes_to_run(failed(count, files))) == expected
