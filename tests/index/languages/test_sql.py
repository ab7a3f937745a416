"""SQL: what stands at top level of any file is known in all."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.completion import completions
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from tests.support.indexed import meant, state_of

TABLE = "CREATE TABLE customer_orders (order_id INT);\n"


def test_a_table_is_named_without_an_import() -> None:
    files = {"schema/orders.sql": TABLE, "report.sql": "SELECT * FROM customer_orders;\n"}
    assert meant(state_of(files), "report.sql", "customer_orders").endswith(":customer_orders")


def test_tables_are_offered_and_their_columns_are_not() -> None:
    text = "SELECT * FROM customer_orders;\n"
    state = state_of({"schema/orders.sql": TABLE, "report.sql": text})
    place = TextPosition(1, len("SELECT * FROM "))
    rows = completions(state, RepoPath("report.sql"), place, SourceText(text), "")
    assert [row["label"] for row in rows] == ["customer_orders"]
