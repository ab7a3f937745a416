"""Instances follow elements, and the host follows the instances: random trees and sequences."""

import asyncio
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.panels import component, html, use_state
from jupyter_ac.rpc.codec import encode, utf8_bytes
from tests.panels.memory_host import MemoryHost, nodes
from tests.panels.shown import Shown, shown
from tests.panels.trees import TREES, Described, elements, expected, without_ids
from tests.support.examples import examples

Set = Callable[[list[str]], None]


def check_in_step(one: Shown) -> None:
    """The host has the panel's tree, with exactly its functions, and its size is known."""
    tree = one.runtime.tree()
    assert one.host.tree == json.loads(json.dumps(tree))
    assert one.handlers() == one.host.handler_ids()
    assert one.runtime._renderer._reconciler.tree_bytes == utf8_bytes(encode(tree))


@settings(max_examples=examples(300))
@given(st.lists(TREES, min_size=2, max_size=4), st.booleans(), st.booleans())
def test_any_tree_becomes_any_other(
    trees: list[Described], is_incremental: bool, moves: bool
) -> None:
    setters: list[Callable[[Described], None]] = []

    @component
    def app() -> object:
        tree, set_tree = use_state(trees[0])
        setters.append(set_tree)
        return elements(tree)

    async def run() -> None:
        async with shown(app, is_incremental=is_incremental, moves=moves) as one:
            for tree in [*trees, *reversed(trees)]:
                setters[0](tree)
                await one.settle()
                assert one.host.errors == []
                assert one.host.tree is not None
                assert [without_ids(one.host.tree)] == expected(tree)
                check_in_step(one)
            assert one.host.tree is not None
        assert one.handlers() == set()

    asyncio.run(run())


@settings(max_examples=examples(200))
@given(st.data())
def test_a_keyed_list_keeps_each_state_in_any_order(data: st.DataObject) -> None:
    """Steps change the order, or the state of single rows, with renders in between or not."""
    orders = st.lists(st.integers(0, 12), unique=True)
    setters: dict[object, Callable[..., None]] = {}

    @component
    def row(number: int) -> object:
        count, set_count = use_state(0)
        setters[number] = set_count
        return html.li({"on_click": lambda: set_count(count + 1)}, f"{number}:{count}")

    @component
    def app() -> object:
        order, set_order = use_state(list[int]())
        setters["order"] = set_order
        return html.ul("head", [row(number, key=number) for number in order], html.li("tail"))

    async def run() -> None:
        async with shown(app, moves=bool(data.draw(st.booleans()))) as one:
            order: list[int] = []
            counts: dict[int, int] = {}
            for _ in range(data.draw(st.integers(1, 8))):
                is_state = bool(data.draw(st.booleans())) and bool(order)
                if is_state:
                    number = data.draw(st.sampled_from(order))
                    if number in counts:
                        setters[number](lambda count: count + 1)
                        counts[number] += 1
                else:
                    order = data.draw(orders)
                    setters["order"](order)
                    await one.settle()
                    counts = {number: counts.get(number, 0) for number in order}
                if data.draw(st.booleans()):
                    await one.settle()
            await one.settle()
            rows = "".join(f"{number}:{counts[number]}" for number in order)
            assert one.host.text() == f"head{rows}tail"
            assert one.host.errors == []
            check_in_step(one)

    asyncio.run(run())


async def change(first: str, then: str, *, moves: bool = False) -> tuple[MemoryHost, list[str]]:
    """Change the order of one-letter items; returns the kinds of the mutations."""
    setters: list[Set] = []

    @component
    def app() -> object:
        names, set_names = use_state(list(first))
        setters.append(set_names)
        return html.ul([html.li({"title": "a long one" * 9}, name, key=name) for name in names])

    async with shown(app, moves=moves) as one:
        ids = {node["id"] for node in nodes(one.host.tree)}
        setters[0](list(then))
        await one.settle()
        assert one.host.text() == then
        if set(first) == set(then):
            assert {node["id"] for node in nodes(one.host.tree)} == ids
        batch = one.host.batches[-1] if one.host.batches else []
        return one.host, [mutation["type"] for mutation in batch]


@pytest.mark.parametrize(
    ("first", "then", "kinds"),
    [
        ("abcd", "bcda", ["appendChild"]),
        ("abcd", "dabc", ["insertBefore"]),
        ("abcd", "abcdef", ["appendChild", "appendChild"]),
        ("abcd", "xyabcd", ["insertBefore", "insertBefore"]),
        ("abcd", "ad", ["removeChild", "removeChild"]),
        ("abcd", "acbd", ["insertBefore"]),
        ("abcd", "axd", ["removeChild", "removeChild", "insertBefore"]),
    ],
)
async def test_a_new_order_takes_as_few_mutations_as_possible(
    first: str, then: str, kinds: list[str]
) -> None:
    _, found = await change(first, then)
    assert found == kinds


async def test_a_batch_longer_than_the_tree_is_the_tree() -> None:
    host, kinds = await change("abcdefgh", "hgfedcba")
    assert kinds == ["setRoot"]
    sent = utf8_bytes(encode(host.batches[-1]))
    assert sent <= utf8_bytes(encode([{"type": "setRoot", "node": host.tree}]))


async def test_moves_carry_ids_only_where_the_host_knows_that() -> None:
    host, kinds = await change("abcdefgh", "hgfedcba", moves=True)
    assert kinds == ["moveBefore"] * 7
    assert utf8_bytes(encode(host.batches[-1])) < utf8_bytes(encode(host.tree))


async def test_a_text_is_changed_by_itself() -> None:
    @component
    def app() -> object:
        count, set_count = use_state(0)
        return html.button({"on_click": lambda: set_count(count + 1)}, "clicked ", count)

    async with shown(app) as one:
        await one.fire("onClick")
        changed = one.host.find(lambda node: node.get("text") == "1")["id"]
        assert one.host.batches == [[{"type": "setText", "nodeId": changed, "text": "1"}]]


async def test_a_hole_keeps_the_place_of_those_behind_it() -> None:
    @component
    def field() -> object:
        value, set_value = use_state("")
        return html.input({"value": value, "on_input": set_value})

    @component
    def app() -> object:
        is_open, set_open = use_state(False)
        hint = html.p("a hint") if is_open else None
        return html.div(hint, field(), html.button({"on_click": lambda: set_open(not is_open)}))

    async with shown(app) as one:
        await one.fire("onInput", "typed")
        await one.fire("onClick")
        await one.fire("onClick")
        assert one.host.find(lambda node: node["type"] == "input")["props"]["value"] == "typed"


async def test_another_type_or_component_in_a_place_is_made_anew() -> None:
    @component
    def one_kind() -> object:
        value, set_value = use_state("first")
        return html.p({"on_click": lambda: set_value("second")}, value)

    @component
    def other_kind() -> object:
        value, set_value = use_state("other")
        return html.p({"on_click": lambda: set_value("second")}, value)

    @component
    def app() -> object:
        kind, set_kind = use_state("one")
        shows = one_kind() if kind == "one" else other_kind()
        return html.div({"on_input": set_kind}, shows)

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.text() == "second"
        await one.fire("onInput", "two")
        assert one.host.text() == "other"
        await one.fire("onInput", "one")
        assert one.host.text() == "first"
        check_in_step(one)


async def test_a_dict_that_was_changed_in_place_is_a_change() -> None:
    borders = [1]
    style = {"color": "red", "borders": borders}

    @component
    def app() -> object:
        _, again = use_state(0)
        return html.p({"style": style, "on_click": lambda: again(lambda count: count + 1)})

    async with shown(app) as one:
        borders.append(2)
        assert one.host.tree is not None
        assert one.host.tree["props"]["style"] == {"color": "red", "borders": [1]}
        await one.fire("onClick")
        assert one.host.tree["props"]["style"] == {"color": "red", "borders": [1, 2]}


async def test_numbers_of_another_type_are_a_change() -> None:
    @component
    def app() -> object:
        value, set_value = use_state("int")
        return html.input({"value": {"int": 1, "bool": True}[value], "on_input": set_value})

    async with shown(app) as one:
        await one.fire("onInput", "bool")
        assert one.host.tree is not None
        assert one.host.tree["props"]["value"] is True


async def test_the_same_element_can_be_shown_twice() -> None:
    rule = html.hr(class_name="thin")

    @component
    def app() -> object:
        return html.div(rule, "between", rule)

    async with shown(app) as one:
        assert [node["type"] for node in nodes(one.host.tree)] == ["div", "hr", "#text", "hr"]
        check_in_step(one)
