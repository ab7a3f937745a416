import '../support/jsdom.ts';
import { describe, expect, it, vi } from 'vitest';
import { onLabDrop } from '../../src/controllers/lab-drop.ts';

function drag(type: string, data: unknown, mime = 'application/x-jupyter-icontents'): Event {
  const mimeData = { hasData: (asked: string) => asked === mime, getData: () => data };
  const event = new Event(type, { bubbles: true, cancelable: true });
  return Object.assign(event, { mimeData, proposedAction: 'move', dropAction: 'none' });
}

describe('a drag of JupyterLab', () => {
  it('is accepted with files only, and kept from what is around', () => {
    const around = document.createElement('div');
    const host = around.appendChild(document.createElement('div'));
    const [take, seen] = [vi.fn(), vi.fn()];
    onLabDrop(host, take);
    around.addEventListener('lm-drop', seen);
    const over = drag('lm-dragover', ['a.py']);
    host.dispatchEvent(over);
    expect(over).toMatchObject({ defaultPrevented: true, dropAction: 'move' });
    host.dispatchEvent(drag('lm-drop', ['a.py', 3]));
    expect(take).toHaveBeenCalledExactlyOnceWith(['a.py']);
    expect(seen).not.toHaveBeenCalled();
    host.dispatchEvent(drag('lm-drop', ['a'], 'application/other'));
    expect(take).toHaveBeenCalledOnce();
    expect(seen).toHaveBeenCalledOnce();
  });
});
