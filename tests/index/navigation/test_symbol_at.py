import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.link_targets import LinkTargets
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from jupyter_ac.index.navigation.symbol_at import link_at, target_of
from jupyter_ac.index.records import NOBODY, DocumentLink, FileRecord, Heading, Outline
from tests.index.navigation.trees import Tree, document_tree, python_tree


@pytest.mark.parametrize(
    ("path", "mark", "goal"),
    [
        ("app/client.py", "class Cl|ient", "app/client.py:Client"),
        ("app/client.py", "self.|draw", "app/client.py:draw"),
        ("app/client.py", "self.close|()", "app/base.py:close"),
        ("app/client.py", "class Client(Ba|se)", "app/base.py:Base"),
        ("app/client.py", "return si|ze", "app/shapes.py:area"),
        ("app/client.py", "    Sha|pe,", "app/shapes.py:Shape"),
        ("app/client.py", "area as si|ze", "app/shapes.py:area"),
        ("app/client.py", "from app.sha|pes import", "app/shapes.py"),
        ("main.py", "from app import Cli|ent", "app/client.py:Client"),
        ("main.py", "import app.shapes as sha|pes", "app/shapes.py"),
        ("main.py", "client = Cli|ent()", "app/client.py:Client"),
        ("main.py", "shapes.a|rea(1)", "app/shapes.py:area"),
        ("main.py", "handler = shapes.are|a", "app/shapes.py:area"),
        ("main.py", "handler = sha|pes.area", "app/shapes.py"),
    ],
)
def test_the_column_says_which_name_is_meant(path: str, mark: str, goal: str) -> None:
    assert python_tree().goal(path, mark) == goal


@pytest.mark.parametrize(
    "mark", ["url: s|tr", "import js|on", '"http|://', "def draw(self, |x, n)"]
)
def test_what_the_index_does_not_know_is_nothing(mark: str) -> None:
    path = "main.py" if "http" in mark else "app/client.py"
    assert python_tree().goal(path, mark) == ""


def test_a_parameter_behind_the_imports_is_none_of_their_names() -> None:
    tree = Tree(
        {
            "a.py": "from b.transport import T\n\n\ndef f(\n    transport: T,\n) -> None: ...\n",
            "b/transport.py": "class T: ...\n",
        }
    )
    assert tree.goal("a.py", "    trans|port: T") == ""
    assert tree.goal("a.py", "b.trans|port import") == "b/transport.py"


def test_a_default_import_means_what_has_its_name_there() -> None:
    for declared, goal in [
        ("export default function total() {}\n", "b.ts:total"),
        ("export default function () {}\n", "b.ts:default"),
        ("export default 5\n", "b.ts"),
    ]:
        tree = Tree({"a.ts": 'import total from "./b"\nexport const t = total\n', "b.ts": declared})
        assert tree.goal("a.ts", "import to|tal") == goal
        assert tree.goal("a.ts", "= to|tal") == goal


@pytest.mark.parametrize(
    ("path", "mark", "goal"),
    [
        ("a.mjs", 'from "|./lib/my-b.js"', "lib/my-b.js"),
        ("a.mjs", 'from ".|/lib/my-b.js"', "lib/my-b.js"),
        ("a.mjs", "lib/m|y-b.js", "lib/my-b.js"),
        ("a.mjs", "my-b.js|", "lib/my-b.js"),
        ("a.mjs", "li|b/my-b.js", "lib/my-b.js"),
        ("m.sh", "source .|/lib.sh", "lib.sh"),
        ("m.sh", "./lib.s|h", "lib.sh"),
        ("m.c", "inc/|a.h", "inc/a.h"),
        ("a.mjs", '|"./other.js"', ""),
        ("p/a.py", "from |.b import", "p/b.py"),
        ("p/a.py", "from .|b import", "p/b.py"),
    ],
)
def test_a_path_in_an_import_leads_to_its_file_wherever_in_it_the_place_is(
    path: str, mark: str, goal: str
) -> None:
    tree = Tree(
        {
            "a.mjs": 'import {\n  mk,\n} from "./lib/my-b.js"\nconst x = "./other.js"\n',
            "lib/my-b.js": "export function mk() {}\n",
            "m.sh": "source ./lib.sh\n",
            "lib.sh": "hi() { :; }\n",
            "m.c": '#include "inc/a.h"\n',
            "inc/a.h": "int a(void);\n",
            "p/a.py": "from .b import c\n",
            "p/b.py": "c = 1\n",
        }
    )
    assert tree.goal(path, mark) == goal


def test_how_sure_it_is_depends_on_what_says_it() -> None:
    tree = python_tree()
    for path, mark, certainty in [
        ("app/client.py", "class Cl|ient", "certain"),
        ("app/client.py", "self.dr|aw", "certain"),
        ("main.py", "client = Cli|ent()", "likely"),
        ("main.py", "client.fetch_pa|ge", "guess"),
    ]:
        found = tree.found(path, mark)
        assert found is not None
        assert found.certainty == certainty, mark


def test_a_common_name_joins_no_files() -> None:
    tree = Tree(
        {
            "a.py": "def get(): ...\ndef run(): ...\n",
            "b.py": "import requests\n\nrequests.get(1)\nx.run\n",
        }
    )
    assert tree.goal("b.py", "requests.g|et") == ""
    assert tree.goal("b.py", "x.ru|n") == ""


@pytest.mark.parametrize(
    ("path", "mark", "goal"),
    [
        ("README.md", "[the gu|ide](docs/guide.md#first", "docs/guide.md#first-steps"),
        ("README.md", "](docs/gui|de.md#first", "docs/guide.md#first-steps"),
        ("README.md", "[a|ll](docs/guide.md)", "docs/guide.md"),
        ("README.md", "`run|_all`", "tool.py:run_all"),
        ("README.md", "## Mo|re of it", "README.md#more-of-it"),
        ("docs/guide.md", "[the to|ol]", "README.md"),
        ("docs/guide.md", "`to|ol.py`", "tool.py"),
        ("README.md", "[Go|ne](docs/none.md)", ""),
        ("README.md", "Se|e [the", ""),
    ],
)
def test_a_link_leads_to_a_file_or_a_heading(path: str, mark: str, goal: str) -> None:
    assert document_tree().goal(path, mark) == goal


def test_members_are_found_through_base_classes_that_go_in_circles() -> None:
    tree = Tree(
        {
            "a.py": "from b import B\n\nclass A(B):\n    def go(self):\n        self.stop_it()\n",
            "b.py": "from a import A\n\nclass B(A):\n    def stop_it(self): ...\n",
        }
    )
    assert tree.goal("a.py", "self.sto|p_it") == "b.py:stop_it"


def test_places_that_are_not_there_are_nothing() -> None:
    tree = python_tree()
    from_file = tree.source("main.py")
    assert from_file.line(10_000) == ""
    assert tree.goal("main.py", "|handler") == "main.py:handler"


@pytest.mark.parametrize(
    ("mark", "goal"),
    [("srv.Ser|ve(1)", "srv/srv.go:Serve"), ("srv.Serv|er{}", "srv/srv.go:Server")],
)
def test_a_package_of_several_files_is_looked_through(mark: str, goal: str) -> None:
    tree = Tree(
        {
            "go.mod": "module ex.org/m\n",
            "srv/srv.go": "package srv\nfunc Serve(p int) {}\ntype Server struct { Port int }\n",
            "srv/more.go": "package srv\nfunc more() {}\n",
            "other/srv.go": "package other\nfunc Serve() {}\n",
            "m.go": 'package m\nimport "ex.org/m/srv"\n'
            "func f() { srv.Serve(1); _ = srv.Server{} }\n",
        }
    )
    assert tree.goal("m.go", mark) == goal


def test_a_module_of_rust_leads_to_its_file() -> None:
    tree = Tree({"src/lib.rs": "mod bag;\npub use bag::Bag;\n", "src/bag.rs": "pub struct Bag;\n"})
    assert tree.goal("src/lib.rs", "mod ba|g;") == "src/bag.rs"
    assert tree.goal("src/lib.rs", "use bag::Ba|g") == "src/bag.rs:Bag"
    assert tree.goal("src/lib.rs", "use ba|g::Bag") == "src/bag.rs"


def test_an_import_of_java_leads_to_its_class() -> None:
    tree = Tree(
        {
            "b/Main.java": "package b;\n\nimport a.Store;\n\nclass Main { Store s; }\n",
            "a/Store.java": "// Keeps.\npackage a;\n\npublic class Store {}\n",
        }
    )
    assert tree.goal("b/Main.java", "import a.Sto|re") == "a/Store.java:Store"


LINKS = (
    DocumentLink("b.md#two", is_code=False, line=1, heading=NOBODY),
    DocumentLink("make", is_code=True, line=1, heading=NOBODY),
)
RECORD = FileRecord("markdown", outline=Outline((Heading("A", 1, 1, 1, "a", ()),), LINKS))
SOURCE = SourceText("See [the other](b.md#two) and `make`.")


def test_a_link_is_where_its_text_or_its_target_stands() -> None:
    for column, target in [(6, "b.md#two"), (18, "b.md#two"), (32, "make"), (1, "")]:
        found = link_at(RECORD, TextPosition(1, column), SOURCE)
        assert (found[0].target if found else "") == target
    assert link_at(FileRecord("python"), TextPosition(1, 6), SOURCE) is None


def test_no_link_leads_out_of_the_tree() -> None:
    tree = Tree({"a.md": "# A\n", "docs/b.md": "# B\n"})
    files = LinkTargets(tree.view.paths())
    for target in ("../../etc/passwd", "/etc/passwd", "https://x.org/a.md", "C:/a.md", "..", ""):
        link = DocumentLink(target, is_code=False, line=1, heading=NOBODY)
        assert target_of(tree.view, files, RepoPath("docs/b.md"), link) is None
    up = DocumentLink("../a.md", is_code=False, line=1, heading=NOBODY)
    assert target_of(tree.view, files, RepoPath("docs/b.md"), up) == Goal(RepoPath("a.md"))


def test_a_code_name_is_a_symbol_when_there_is_one_of_it() -> None:
    tree = Tree({"a.py": "def make(): ...\ndef twice(): ...\n", "b.py": "def twice(): ...\n"})
    files = LinkTargets(tree.view.paths())
    for name, path in [("make()", "a.py"), ("a.make", "a.py"), ("twice", ""), ("b.py", "b.py")]:
        link = DocumentLink(name, is_code=True, line=1, heading=NOBODY)
        goal = target_of(tree.view, files, RepoPath("README.md"), link)
        assert (goal.path if goal else "") == path


PAGE = """<link rel="stylesheet" href="t.css">
<p id="btn" class="btn é-x  btn-big gone">btn</p>
<p class='two'></p>
"""
TREE = Tree(
    {
        "web/p.html": PAGE,
        "web/t.css": ".btn { top: 0 }\n.btn-big { top: 0 }\n",
        "other/o.css": ".btn { top: 0 }\n.two { top: 0 }\n.alone { top: 0 }\n",
        "other/u.css": ".two { top: 0 }\n",
        "app.jsx": "const a = <p className='alone two' id='alone' />;\n",
    }
)


@pytest.mark.parametrize(
    ("path", "mark", "goal", "certainty"),
    [
        ("web/p.html", 'class="b|tn', "web/t.css:.btn", "likely"),
        ("web/p.html", "btn-|big", "web/t.css:.btn-big", "likely"),
        ("app.jsx", "'al|one two", "other/o.css:.alone", "guess"),
    ],
)
def test_a_class_of_an_element_means_the_rule_of_the_style_sheet_that_the_page_names(
    path: str, mark: str, goal: str, certainty: str
) -> None:
    found = TREE.found(path, mark)
    assert found is not None
    assert (TREE.goal(path, mark), found.certainty) == (goal, certainty)


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        ("web/p.html", "go|ne"),
        ("web/p.html", "'tw|o'"),
        ("web/p.html", ">b|tn<"),
        ("app.jsx", "alone t|wo"),
        ("app.jsx", "id='al|one"),
    ],
)
def test_what_is_no_class_or_one_of_several_sheets_means_none(path: str, mark: str) -> None:
    assert not TREE.goal(path, mark).endswith((".two", ".btn", ".alone"))
