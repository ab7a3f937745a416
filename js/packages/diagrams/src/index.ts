/**
 * Draws diagrams for the page around this one, which hands over a port: it asks by `DrawRequest`, one after
 * another, and gets a `DrawAnswer` for each. The server's policy for this page lets nothing be fetched here.
 */

import type { DrawAnswer, DrawRequest } from '@jupyter-ac/page';
import mermaid from 'mermaid';

const FONT = 'system-ui, sans-serif';

async function draw({ source, isDark }: DrawRequest): Promise<DrawAnswer> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // As an image an SVG has no HTML in it everywhere.
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

/** What is drawn is as wide as its view box, whatever the SVG says in percent. */
function widthOf(svg: string): number | null {
  const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) /.exec(svg)?.[1];
  return box ? Number(box) : null;
}

addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  port.onmessage = async ({ data }: MessageEvent<DrawRequest>) => port.postMessage(await draw(data));
});
