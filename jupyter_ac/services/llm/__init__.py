"""The RPC methods `LLMService.*` over `jupyter_ac.chat`, in small parts named by their use."""
