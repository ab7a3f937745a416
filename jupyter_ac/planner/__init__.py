"""Plans of tasks that a model carries out, and what belongs to them (seed 004)."""
