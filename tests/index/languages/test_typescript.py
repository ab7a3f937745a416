"""TypeScript: its files and those of JavaScript name each other."""

from tests.support.indexed import imported, meant, state_of


def test_it_takes_names_out_of_javascript_and_the_other_way_round() -> None:
    files = {
        "a.ts": "import {draw} from './b';\ndraw();\nexport function paint() {}\n",
        "b.js": "import {paint} from './a';\nexport function draw() { paint(); }\n",
        "c.tsx": "import {paint} from './a';\nexport const C = () => <div>{paint()}</div>;\n",
    }
    state = state_of(files)
    assert meant(state, "a.ts", "draw") == "b.js:draw"
    assert meant(state, "b.js", "paint") == meant(state, "c.tsx", "paint") == "a.ts:paint"


def test_a_file_that_only_declares_gives_way() -> None:
    files = {
        "types.d.ts": "declare function distinctiveThing(): void;\n",
        "real.ts": "export class Box extends DistinctiveBase {}\n",
        "base.d.ts": "declare class DistinctiveBase {}\n",
        "base.js": "class DistinctiveBase {}\n",
    }
    assert meant(state_of(files), "real.ts", "DistinctiveBase") == "base.js:DistinctiveBase"


def test_an_import_names_no_ending() -> None:
    files = {"a.ts": "import './b';\nimport './c/d';\n", "b.mts": "", "c/d/index.tsx": ""}
    assert imported(state_of(files), "a.ts") == ["b.mts", "c/d/index.tsx"]
