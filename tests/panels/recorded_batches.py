"""Records what a panel sends over random changes of random trees, for the page's host to apply.

    python -m tests.panels.recorded_batches SEED COUNT

Prints one JSON object a line: `sent`, the messages, and after each of them in `trees` the tree that
the panel has.
"""

import asyncio
import json
import sys
from dataclasses import replace
from random import Random

from jupyter_ac.panels import PanelRuntime, PanelView, component, use_state
from jupyter_ac.panels.wire import JsonValue
from tests.panels.shown import turns
from tests.panels.trees import Described, elements

STEPS = 6
KINDS = (
    *("div", "ul", "li", "span", "button", "input", "select", "option", "Chart") * 2,
    "fragment",
    "memo",
)
TEXTS = ("", "x", "longer text", "ü", "🟧", '"', "\n")
PROPS: tuple[dict[str, JsonValue], ...] = (
    {},
    {"title": "a"},
    {"value": "typed", "placeholder": "p"},
    {"style": {"color": "red", "marginTop": 3}},
    {"type": "checkbox", "checked": True},
    {"className": "k", "data-n": 4},
)


class Gardener:
    """Makes trees, and changes them.

    Args:
        random: decides.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._keys = 0

    def part(self, depth: int) -> Described:
        """A part of a tree, keyed or not."""
        random = self._random
        key = None
        if random.random() < 0.6:
            self._keys += 1
            key = f"k{self._keys}"
        if depth == 0 or random.random() < 0.25:
            # Texts have no keys.
            return Described("text", text=random.choice(TEXTS))
        children = tuple(self.part(depth - 1) for _ in range(random.randrange(5)))
        events = ("onClick",) if random.random() < 0.3 else ()
        kind = random.choice(KINDS)
        props = {} if kind in {"fragment", "memo"} else dict(random.choice(PROPS))
        return Described(kind, key, props=props, events=events, children=children)

    def tree(self) -> Described:
        """A tree with one element at its top."""
        return Described("div", children=tuple(self.part(3) for _ in range(6)))

    def changed(self, tree: Described, depth: int = 3) -> Described:
        """The same tree with some changes: order, texts, props, parts that come and go."""
        random = self._random
        if tree.kind == "text":
            return replace(tree, text=random.choice(TEXTS)) if random.random() < 0.3 else tree
        children = [
            self.changed(child, depth - 1) if random.random() < 0.5 else child
            for child in tree.children
        ]
        if children and random.random() < 0.3:
            children.remove(random.choice(children))
        if random.random() < 0.3:
            children.insert(random.randrange(len(children) + 1), self.part(max(depth - 1, 0)))
        if random.random() < 0.3:
            random.shuffle(children)
        props = dict(random.choice(PROPS)) if random.random() < 0.3 and tree.props else tree.props
        return replace(tree, props=props, children=tuple(children))


async def record(seed: int) -> dict[str, object]:
    """One panel's life."""
    random = Random(seed)
    gardener = Gardener(random)
    tree = gardener.tree()
    setters = []

    @component
    def app() -> object:
        shown, set_shown = use_state(tree)
        setters.append(set_shown)
        return elements(shown)

    sent: list[tuple[str, object]] = []
    trees: list[object] = []
    runtime = PanelRuntime(app)

    def send(method: str, /, *args: object) -> None:
        if method not in {"updateTree", "applyMutations"}:
            raise AssertionError(method, args)
        sent.append((method, args[0]))
        trees.append(runtime._renderer.tree())

    view = PanelView(runtime, send)
    extensions = ["moveBefore"] if random.random() < 0.5 else []
    await view.initialize({"protocolVersion": 3, "extensions": extensions})
    for _ in range(STEPS):
        tree = gardener.changed(tree)
        setters[0](tree)
        runtime.flush()
        await turns()
    await view.destroy()
    return {"sent": sent, "trees": trees}


def main(seed: int, count: int) -> None:
    """Print the lives of so many panels."""
    for number in range(count):
        sys.stdout.write(json.dumps(asyncio.run(record(seed + number))) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
