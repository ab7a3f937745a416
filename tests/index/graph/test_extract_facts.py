"""Facts of records."""

from jupyter_ac.index.graph.extract_facts import gather
from jupyter_ac.index.graph.facts import HOLDER, PLAIN, Base, imports_of
from jupyter_ac.index.graph.keys import NO_NAME, SELF, SUPER, import_key, key_of, use_key
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import NOBODY, FileRecord, Import

SOURCE = b"""
import pkg.mod as m
class Child(m.Parent):
    def go(self):
        self.go()
        self.go()
        work()
"""


def test_equal_uses_are_counted_and_classes_around_matter_for_self_only() -> None:
    facts = gather(parse("python", SOURCE)).facts
    rows = zip(facts.uses, facts.before, facts.around, facts.counts, strict=True)
    assert {
        (key_of("go"), SELF, 0, 2),
        (key_of("work"), NO_NAME, NOBODY, 1),
        (key_of("Parent"), key_of("m"), NOBODY, 1),
    } == set(rows)
    assert list(facts.kinds) == [HOLDER, PLAIN]


def test_bases_know_what_stands_before_them() -> None:
    facts = gather(parse("python", SOURCE)).facts
    assert facts.bases == {0: (Base(key_of("Parent"), key_of("m")),)}


def test_what_is_mentioned_can_be_found_by_its_key() -> None:
    keys = gather(parse("python", SOURCE)).keys
    assert {key_of("self"), import_key("pkg")} <= keys
    mentioned = gather(parse("python", SOURCE)._replace(words=())).keys
    assert {use_key(key_of("go")), use_key(key_of("work")), use_key(key_of("m"))} <= mentioned
    assert not {NO_NAME, use_key(SELF), use_key(SUPER)} & mentioned


def test_imports_come_back_without_their_lines() -> None:
    line = Import("a.b", (("x", "y"),), "z", 2, 9)
    facts = gather(FileRecord("python", imports=(line,))).facts
    assert imports_of(facts) == [line._replace(line=0)]


def test_a_namespace_doesnt_hide_what_stands_in_it() -> None:
    facts = gather(parse("cpp", b"namespace n { class A { void m(); }; }\n")).facts
    assert list(facts.parents)[:2] == [NOBODY, NOBODY]
