"""Wire methods of the planner: `Planner.*`, and the names of seed 004."""
