"""What `benchmarks/context_recall.py` compares: commits, contestants and the judge."""
