"""The `Repo` namespace: what a front end can ask about the repository."""
