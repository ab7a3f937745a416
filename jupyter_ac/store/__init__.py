"""State on disk: paths, SQLite databases, locks and tokens.

This package defines the policy (modes, journal, migrations, timeouts), not the tables: each domain
package has its own migrations.
"""
