"""Reads the variables, errors and inputs of a Python namespace without running code of its values.

Standard library only. Nothing here imports a library to look at its objects: a class is known when
it is the very object that a loaded module holds. What is read from a value of an unknown class is
its class's name and its size.
"""
