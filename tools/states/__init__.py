"""Pictures and boxes of the states of the panel: `python -m tools.states` renews them."""
