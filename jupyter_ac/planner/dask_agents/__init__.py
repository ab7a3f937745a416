"""This program's own agent on the machines of a Dask cluster."""
