"""The wire methods `LLMService.*` over `jupyter_ac.chat`, each part small and named by its use."""
