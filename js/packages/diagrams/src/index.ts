/**
 * Renders Mermaid diagrams in a sandboxed frame. The parent page sends a message port, then one `DrawRequest`
 * after another, and gets a `DrawAnswer` for each. The server's CSP for this page forbids all requests.
 */

import type { DrawAnswer, DrawRequest } from '@jupyter-ac/page';
import mermaid from 'mermaid';

const FONT = 'system-ui, sans-serif';

async function draw({ source, isDark }: DrawRequest): Promise<DrawAnswer> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // Not all browsers show HTML inside an SVG image.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: isDark ? 'dark' : 'default',
    fontFamily: FONT,
  });
  try {
    const { svg } = await mermaid.render('diagram', source);
    return { svg, width: widthOf(svg) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Width of the view box: the SVG's own width may be in percent. */
function widthOf(svg: string): number | null {
  const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) /.exec(svg)?.[1];
  return box ? Number(box) : null;
}

addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  port.onmessage = async ({ data }: MessageEvent<DrawRequest>) => port.postMessage(await draw(data));
});
