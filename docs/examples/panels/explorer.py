"""10,000 rows: the host draws those in view, and `use_memo` keeps what is slow to compute."""

import random
from collections import Counter

from jupyter_ac.panels import Plugin, Tag, component, html, use_memo, use_state

DataTable = Tag("DataTable")
BARS = {"display": "flex", "gap": 2, "alignItems": "flex-end"}
COLUMNS = ["station", "day", "temperature", "rain"]


def invented(count=10_000):
    chance = random.Random(7)
    for _ in range(count):
        day = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        heat, rain = round(chance.gauss(12, 8), 1), round(max(0.0, chance.gauss(0, 6)), 1)
        yield [chance.choice(["Alta", "Brno", "Cork", "Delft", "Évora"]), day, heat, rain]


ROWS = list(invented())  # or frame.astype(object).to_numpy().tolist() of a data frame


@component
def Bar(label, count, most):
    style = {"background": "var(--ac-accent, #1d63c4)", "height": 48 * count / most}
    row = {"flex": 1, "minWidth": 0, "textAlign": "center", "fontSize": 11}
    return html.div(html.div({"title": f"{label}: {count}"}, style=style), label, style=row)


@component
def Explorer(rows=ROWS, columns=COLUMNS):
    wanted, set_wanted = use_state("")
    column, set_column = use_state(columns[0])
    picked, set_picked = use_state(None)

    def found():
        words = wanted.casefold().split()
        return [row for row in rows if all(word in str(row).casefold() for word in words)]

    def counted():
        cells = [row[columns.index(column)] for row in shown]
        groups = [cell // 5 * 5 if isinstance(cell, float) else str(cell)[:7] for cell in cells]
        return sorted(Counter(groups).items())

    shown = use_memo(found, [wanted])
    bars = use_memo(counted, [wanted, column])
    most = max((count for _, count in bars), default=1)
    field = {"value": wanted, "placeholder": "cork 2026-03", "on_change": set_wanted}
    choice = html.select(map(html.option, columns), value=column, on_change=set_column)
    table = {"columns": columns, "rows": shown, "height": 180, "label": "Measurements"}
    return html.section(
        html.p(html.label("Find ", html.input(field)), html.label(" Count by ", choice)),
        html.div([Bar(str(n), c, most) for n, c in bars], style=BARS),
        html.p(f"{len(shown):,} of {len(rows):,} rows", f"; picked: {picked}" if picked else ""),
        DataTable(table, on_row_click=lambda at: set_picked(shown[at])),
    )


plugin = Plugin(Explorer, title="Explorer")
