"""Bytes in, bytes out: carriers of frames for the peers that front ends talk to.

Owns queues, their bounds and their order. Knows nothing of messages; the sockets themselves belong
to the hosts.
"""
