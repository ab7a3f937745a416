"""Panels that come with jupyter_ac, made with the SDK as any other: tests, variables, pulse.

They reach the repository by the methods of the server that each of them names, and import nothing
of it but the types of rows.
"""
