"""Panels of the notebook: plugins that live in the kernel, in cells and in the side panel."""
