"""Files in numbers."""

from jupyter_ac.index.graph.extract_facts import gather
from jupyter_ac.index.graph.facts import HOLDER, Facts, around, before_key, called, imports_in
from jupyter_ac.index.graph.keys import NO_NAME, SELF, SUPER, key_of
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import NOBODY

SOURCE = b"""
class Child(m.Parent):
    def go(self):
        work()
class Other(Child): ...
def go(): ...
"""


def facts_of(source: bytes) -> Facts:
    return gather(parse("python", source)).facts


def test_the_symbols_of_a_name_are_found_in_the_order_of_the_source() -> None:
    facts = facts_of(SOURCE)
    assert facts.named(key_of("go")) == [1, 3]
    assert facts.named(key_of("fern")) == ()


def test_names_of_bases_are_found_among_the_uses() -> None:
    facts = facts_of(SOURCE)
    names = {(facts.uses[at], facts.before[at]) for at in facts.base_uses}
    assert names == {(key_of("Parent"), key_of("m")), (key_of("Child"), NO_NAME)}


def test_the_class_around_matters_for_members_only() -> None:
    facts = facts_of(SOURCE)
    assert facts.kinds[0] == HOLDER
    assert facts.class_around(1) == 0
    assert (facts.is_member(1), facts.is_member(3)) == (True, False)
    assert around(facts, SELF, 1) == 0
    assert around(facts, NO_NAME, 1) == NOBODY


def test_what_stands_before_a_name_is_told_apart() -> None:
    assert [before_key(name) for name in ("", "this", "base", "np")] == [
        NO_NAME,
        SELF,
        SUPER,
        key_of("np"),
    ]


def test_files_that_only_declare_and_families_are_known_by_name() -> None:
    assert Facts("a.pyi", "python").is_declaring
    assert not Facts("a.py", "python").is_declaring


def test_no_imports_are_none() -> None:
    assert imports_in(b"") == []


def test_names_at_the_top_and_classes_in_classes_are_found_by_name() -> None:
    text = b"class A { class B { } void f() { } }\npartial class A { class C { } }\n"
    facts = gather(parse("csharp", text)).facts
    assert facts.classes_at_top() == {key_of("A")}
    assert [facts.at_top(key_of(name)) for name in "ABx"] == [0, NOBODY, NOBODY]
    assert [facts.class_in(0, key_of(name)) for name in "BCf"] == [1, 4, NOBODY]


def test_files_share_packages_by_their_platform_or_their_language() -> None:
    spaces = {family: Facts("", family).space for family in ("java", "scala", "csharp", "python")}
    assert spaces == {"java": "jvm", "scala": "jvm", "csharp": "csharp", "python": ""}


def test_super_alone_is_written_out_where_it_calls_the_method_of_its_name() -> None:
    record = parse("ruby", b"class A < B\n  def go\n    super\n    super_x\n  end\nend\n")
    use = next(use for use in record.uses if use.name == "super")
    rules = gather(record).facts.rules
    assert called(rules, use, record.symbols)[:2] == ("go", "super")
    assert called(rules, use._replace(inside=NOBODY), record.symbols).name == "super"
    assert called(facts_of(SOURCE).rules, use, record.symbols) == use
