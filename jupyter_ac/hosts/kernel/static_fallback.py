"""The static replacement for the live panel in a saved notebook: on a code host, when exported.

It names nothing of the machine and nothing of the conversation.
"""

from typing import Final

PANEL_MIME: Final = "application/vnd.jupyter-ac.panel+json"
"""Marks the output for our extension of JupyterLab, which shows a picture of its own there."""

PANEL_MARK: Final = {"version": 1}

STATIC_PICTURE: Final = """\
<div role="note" style="max-width: 34em; border: 1px solid #8886; border-radius: 8px; \
padding: 12px 16px; font: 14px/1.5 system-ui, sans-serif;">
  <div style="display: flex; gap: 12px; align-items: baseline;">
    <strong>jupyter_ac</strong>
    <span style="opacity: .7;">AI pair programming on this folder's git repository</span>
  </div>
  <div style="display: flex; gap: 8px; margin: 10px 0;" aria-hidden="true">
    <div style="flex: 1; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">Files</div>
    <div style="flex: 2; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">Chat</div>
    <div style="flex: 1; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">What the model sees</div>
  </div>
  <div>The panel is live only while its kernel runs. To get it back, open this notebook in
  JupyterLab with <code>jupyter-ac</code> installed and run this cell again
  (<code>%load_ext jupyter_ac</code>, then <code>%ac</code>): the conversation is kept in the
  repository's git folder.</div>
</div>
"""
