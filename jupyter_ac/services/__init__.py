"""The RPC methods: one capability per module, combined into namespaces.

Services translate between the wire's shapes and the domain; the domain does the work.
"""
