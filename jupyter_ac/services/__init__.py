"""The methods on the wire, one capability a module, wired into namespaces.

Services translate between the wire's shapes and the domain; the domain does the work.
"""
