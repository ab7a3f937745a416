"""The transports of frames for the peers to which front ends connect.

Owns queues, their bounds and their order. Knows nothing of messages; the sockets themselves belong
to the hosts.
"""
