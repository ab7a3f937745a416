"""The languages that are read: for each a row in the registry and a file of queries."""
