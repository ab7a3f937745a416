import pytest

from tests.index.navigation.trees import Tree

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
