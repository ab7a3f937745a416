"""The `Settings` namespace: what a front end may know of the configuration, and change in it."""
