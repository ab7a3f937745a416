"""The turn: one question on its way to an answer; `pipeline` has the order of its stages."""
