"""A table of 10,000 rows."""

from jupyter_ac.panels import Plugin, component, h, html, use_state

ROWS = [[f"City {number}", (number * 7919) % 10_000, number % 3 == 0] for number in range(10_000)]


@component
def cities() -> object:
    chosen, set_chosen = use_state("nothing")
    return html.section(
        html.p({"id": "chosen"}, f"Chosen: {chosen}"),
        h(
            "DataTable",
            {
                "columns": ["name", "people", "is a capital"],
                "rows": ROWS,
                "label": "Cities",
                "on_row_click": lambda place: set_chosen(f"City {place}"),
            },
        ),
    )


plugin = Plugin(cities, title="Cities")
