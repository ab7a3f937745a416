"""Where state lives on disk and how it is kept: places, SQLite, locks, the nonce.

Owns the policy (modes, journal, migrations, waiting), not the tables: each domain package brings
its own migrations.
"""
