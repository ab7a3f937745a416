"""The folder of the plugin by which pytest reports its tests; it is put on `PYTHONPATH`."""
