/** DOM node of the panel in a cell's output: limited in height, resizable at its lower edge. */

const STYLE = [
  'height: 560px',
  'min-height: 320px',
  'max-height: 90vh',
  'resize: vertical',
  'overflow: hidden',
  'border: 1px solid var(--jp-border-color2, #8884)',
  'border-radius: 8px',
  'margin: 2px 2px 2px 0',
].join(';');

export function createOutputNode(el: HTMLElement): HTMLElement {
  const node = document.createElement('div');
  node.style.cssText = STYLE;
  el.append(node);
  return node;
}

/** Shows one sentence in place of the panel. */
export function showMessage(node: HTMLElement, sentence: string): void {
  const line = document.createElement('p');
  line.style.cssText = 'margin: 16px; font: 13px/1.5 var(--jp-ui-font-family, system-ui, sans-serif)';
  line.setAttribute('role', 'status');
  line.textContent = sentence;
  node.replaceChildren(line);
}
