"""Where names lead by the code around them, language by language."""

import pytest

from tests.index.navigation.trees import Tree

GO = {
    "go.mod": "module example.com/shop\n",
    "store/store.go": """package store

type Store struct {
	Name string
	log *Log
}

func New(name string) *Store { return &Store{Name: name} }

func (s *Store) Get(key string) string { return s.log.Line(key) }
""",
    "store/log.go": """package store

type Log struct{}

func (l *Log) Line(text string) string { return text }
""",
    "other/other.go": """package other

type Cart struct{}

func (c *Cart) Get(n int) int { return n }
""",
    "main.go": """package main

import "example.com/shop/store"

func main() {
	kept := store.New("a")
	kept.Get("b")
	for i, each := range rows {
		each.Get(i)
	}
	named := store.Store{Name: "c"}
	print(named.Name)
}
""",
}
RUST = {
    "src/lib.rs": """mod bag;
pub use bag::Bag;

pub fn fill(bag: &mut Bag, count: usize) {
    let first = Bag::new();
    first.put(count);
    bag.put(1);
    if let Some(inner) = bag.inner() {
        inner.put(2);
    }
    assert!(bag.is_filled());
}
""",
    "src/bag.rs": """pub struct Bag { items: Vec<usize> }

impl Bag {
    pub fn new() -> Self { Bag { items: Vec::new() } }
    pub fn put(&mut self, item: usize) { self.items.push(item); }
    pub fn inner(&self) -> Option<Bag> { None }
    pub fn is_filled(&self) -> bool { true }
}
""",
    "src/box.rs": "pub struct Case;\n\nimpl Case {\n    pub fn put(&self) {}\n}\n",
}
JAVA = {
    "a/Store.java": """package a;

public class Store {
    private final Log log;
    public Store(Log log) { this.log = log; }
    public Log log() { return log; }
    public void keep(String key) { log.line(key); }
}
""",
    "a/Log.java": "package a;\n\npublic class Log {\n    void line(String text) {}\n}\n",
    "b/Cart.java": "package b;\n\npublic class Cart {\n    void keep(int n) {}\n}\n",
    "a/Main.java": """package a;

class Main {
    void run(Store given) {
        Store own = new Store(null);
        own.keep("a");
        given.log().line("b");
        for (Store each : all) {
            each.keep("c");
        }
    }
}
""",
}
C = {
    "lib/pool.h": """/* Takes one out. */
struct item *pool_take(struct pool *from);

struct pool {
    struct item *first;
    int count;
};
struct item { int count; };
""",
    "lib/pool.c": """#include "pool.h"

struct item *pool_take(struct pool *from)
{
    struct item *taken = from->first;
    taken->count++;
    return taken;
}
""",
    "main.c": """#include "lib/pool.h"
#define TAKE(p) pool_take(p)

int main(void)
{
    struct pool own;
    own.count = 0;
    pool_take(&own)->count = 1;
    return 0;
}
""",
}
CPP = {
    "shape.hpp": """class Shape {
public:
    double area() const;
    operator bool() const;
    static Shape unit();
};
""",
    "shape.cpp": """#include "shape.hpp"

double Shape::area() const { return 1; }
Shape::operator bool() const { return true; }
Shape Shape::unit() { return Shape(); }
""",
    "use.cpp": """#include "shape.hpp"

double all(const Shape &given) {
    auto own = Shape::unit();
    return given.area() + own.area();
}
""",
}
RUBY = {
    "lib/store.rb": """class Store
  def initialize(name)
    @name = name
  end

  def keep(key)
    @name + key
  end
end
""",
    "lib/cart.rb": "class Cart\n  def keep(n)\n    n\n  end\nend\n",
    "main.rb": """require_relative 'lib/store'

def run(key)
  own = Store.new(key)
  own.keep(key)
end
""",
}
TS = {
    "store.ts": """export class Store {
  private rows: Row[] = []
  constructor(readonly name: string) {}
  find(key: string): Row { return this.rows[0] }
  static open(): Store { return new Store("a") }
}
export class Row {
  show(): void {}
}
export class Cart {
  find(n: number): void {}
}
""",
    "main.ts": """import { Store } from "./store"

export function run(given: Store, { key }: { key: string }) {
  const own = new Store(key)
  own.find(key).show()
  given.find(key)
  const opened = Store.open()
  opened?.find(key)
  for (const each of [own]) each.find(key)
  class Inner {
    start() { this.left = 1; return this.left }
  }
}
""",
}


@pytest.mark.parametrize(
    ("tree", "path", "mark", "nth", "goal"),
    [
        (GO, "main.go", "kept.Ge|t(", 0, "store/store.go:10 likely"),
        (GO, "main.go", "store.N|ew", 0, "store/store.go:8 likely"),
        (GO, "main.go", "ke|pt.Get", 0, "main.go:6 likely"),
        (GO, "main.go", "ea|ch.Get", 0, "main.go:8 likely"),
        (GO, "main.go", "{Na|me:", 0, "store/store.go:4 likely"),
        (GO, "main.go", "named.Na|me", 0, "store/store.go:4 likely"),
        (GO, "store/store.go", "s.log.Li|ne", 0, "store/log.go:5 likely"),
        (GO, "store/store.go", "log *L|og", 0, "store/log.go:3 likely"),
        (RUST, "src/lib.rs", "first.pu|t", 0, "src/bag.rs:5 likely"),
        (RUST, "src/lib.rs", "bag.pu|t", 0, "src/bag.rs:5 likely"),
        (RUST, "src/lib.rs", "inner.pu|t", 0, "src/bag.rs:5 likely"),
        (RUST, "src/lib.rs", "Bag::ne|w", 0, "src/bag.rs:4 likely"),
        (RUST, "src/lib.rs", "first.put(cou|nt", 0, "src/lib.rs:4 likely"),
        (RUST, "src/lib.rs", "is_fil|led", 0, "src/bag.rs:7 likely"),
        (RUST, "src/lib.rs", "&mut Ba|g", 0, "src/bag.rs:1 likely"),
        (JAVA, "a/Main.java", "own.ke|ep", 0, "a/Store.java:7 likely"),
        (JAVA, "a/Main.java", "log().li|ne", 0, "a/Log.java:4 likely"),
        (JAVA, "a/Main.java", "each.ke|ep", 0, "a/Store.java:7 likely"),
        (JAVA, "a/Main.java", "Sto|re own", 0, "a/Store.java:3 likely"),
        (JAVA, "a/Store.java", "log.li|ne", 0, "a/Log.java:4 likely"),
        (C, "main.c", "pool_ta|ke(&own", 0, "lib/pool.c:3 guess"),
        (C, "main.c", "own.cou|nt", 0, "lib/pool.h:6 likely"),
        (C, "main.c", "->cou|nt", 0, "lib/pool.h:8 likely"),
        (C, "lib/pool.c", "taken->cou|nt", 0, "lib/pool.h:8 likely"),
        (C, "lib/pool.c", "from->fir|st", 0, "lib/pool.h:5 likely"),
        (CPP, "use.cpp", "given.ar|ea", 0, "shape.cpp:3 likely"),
        (CPP, "use.cpp", "own.ar|ea", 0, "shape.cpp:3 likely"),
        (CPP, "use.cpp", "Shape::un|it", 0, "shape.cpp:5 likely"),
        (RUBY, "main.rb", "own.ke|ep", 0, "lib/store.rb:6 likely"),
        (RUBY, "main.rb", "Store.ne|w", 0, "lib/store.rb:2 likely"),
        (RUBY, "lib/store.rb", "@na|me + key", 0, "lib/store.rb:3 likely"),
        (RUBY, "main.rb", "keep(ke|y", 0, "main.rb:3 likely"),
        (TS, "main.ts", "own.fi|nd", 0, "store.ts:4 likely"),
        (TS, "main.ts", "find(key).sh|ow", 0, "store.ts:8 likely"),
        (TS, "main.ts", "given.fi|nd", 0, "store.ts:4 likely"),
        (TS, "main.ts", "opened?.fi|nd", 0, "store.ts:4 likely"),
        (TS, "main.ts", "own.find(ke|y)", 0, "main.ts:3 likely"),
        (TS, "main.ts", "return this.le|ft", 0, "main.ts:11 likely"),
        (TS, "store.ts", "this.ro|ws", 0, "store.ts:2 likely"),
    ],
)
def test_members_and_local_names_lead_to_what_their_types_say(
    tree: dict[str, str], path: str, mark: str, nth: int, goal: str
) -> None:
    assert Tree(tree).meant(path, mark, nth) == goal


def test_a_common_name_taken_off_something_from_outside_leads_nowhere() -> None:
    tree = Tree({**GO, "x.go": 'package main\n\nimport "net/http"\n\nfunc f() { http.Get("a") }\n'})
    assert tree.meant("x.go", "http.Ge|t") == ""


def test_a_name_in_a_comment_or_a_string_is_not_seen() -> None:
    tree = Tree({"a.go": 'package a\n\n// Keep it.\nfunc Keep() { print("Keep") }\n'})
    assert tree.occurrence("a.go", "// Ke|ep") is None
    assert tree.occurrence("a.go", '"Ke|ep') is None
    assert tree.occurrence("a.go", "func Ke|ep") is not None


def test_an_object_that_is_written_out_has_the_members_that_stand_in_it() -> None:
    tree = Tree({"a.js": "const o = { run() {} };\nconst p = 1;\no.run();\np.run();\n"})
    assert tree.meant("a.js", "o.r|un") == "a.js:1 likely"


def test_a_variable_of_a_script_of_ruby_belongs_to_the_class_that_it_was_made_of() -> None:
    tree = Tree(
        {
            "shop.rb": "module Shop\n  class Cart\n    def total; end\n  end\nend\n",
            "other.rb": "class Other\n  def total; end\nend\n",
            "main.rb": 'require_relative "shop"\nc = Shop::Cart.new\nc.total\n',
        }
    )
    assert tree.meant("main.rb", "c.to|tal") == "shop.rb:3 likely"


def test_what_returns_its_own_class_returns_that_of_the_object() -> None:
    base = "class Base { again(): this { return this } }\n"
    store = "class Store extends Base { find() {} }\nnew Store().again().find();\n"
    assert Tree({"a.ts": base + store}).meant("a.ts", "again().fi|nd") == "a.ts:2 likely"


def test_a_member_of_a_typed_value_is_no_name_of_the_package() -> None:
    code = "package p\nclass Store {\n val first: Item\n}\nclass Item {\n val price = 1\n}\n"
    code += "class Other {\n val price = 2\n}\nfun first(): Other = Other()\n"
    user = "package p\nfun f(store: Store) {\n store.first.price()\n}\n"
    tree = Tree({"a.kt": code, "b.kt": user})
    assert tree.meant("b.kt", "first.|price") == "a.kt:6 likely"
