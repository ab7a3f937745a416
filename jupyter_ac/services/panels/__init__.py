"""Wire methods of panels: `Panels.*`, over panels that run in this process or in others."""
