"""Child interpreters that speak our JSON-RPC peer over their pipes.

One mechanism for all heavy work: started ahead, restarted after a crash, ended at end of file.
"""
