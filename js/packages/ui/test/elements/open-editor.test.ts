import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AcApp } from '../../src/elements/app.ts';
import { openLocation } from '../../src/elements/location-links.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { drawn } from '../support/page.ts';

let app: AcApp;
let session: Session;
const openEditor = vi.fn(async () => true);

beforeEach(async () => {
  const rpc = new FakeRpc();
  ({ app, session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, repo_root: '/srv/weather' }));
  app.openEditor = openEditor;
  document.body.insertAdjacentHTML(
    'beforeend',
    '<script id="jupyter-config-data" type="application/json">{"serverRoot": "/srv"}</script>',
  );
  await connect(rpc);
});

afterEach(() => {
  openEditor.mockClear();
  session.dispose();
  document.body.replaceChildren();
});

async function open(more: object = {}): Promise<void> {
  openLocation(app, { path: 'src/a.py', line: 3, col: 2, ...more });
  await drawn();
  await drawn();
}

describe('a link to a file', () => {
  it('opens the editor beside the panel, by the path on the server', async () => {
    await open();
    expect(openEditor).toHaveBeenCalledWith('weather/src/a.py', 3, 2);
    expect(app.overlays.open.location).toBeNull();
  });

  it.each([{ isDiff: true }, { mapFor: '1-a' }, { anchor: 'top' }])(
    'opens the viewer for what an editor can not show: %j',
    async (more) => {
      await open(more);
      expect(openEditor).not.toHaveBeenCalled();
      expect(app.overlays.open.location).toMatchObject(more);
    },
  );

  it('opens the viewer where the editor opens nothing, or fails', async () => {
    openEditor.mockResolvedValueOnce(false);
    await open();
    expect(app.overlays.open.location).toMatchObject({ path: 'src/a.py' });
    app.overlays.open = { location: null };
    openEditor.mockRejectedValueOnce(new Error('no'));
    await open();
    expect(app.overlays.open.location).toMatchObject({ path: 'src/a.py' });
  });

  it('opens the viewer outside of the server’s root', async () => {
    const config = document.getElementById('jupyter-config-data');
    if (config) config.textContent = '{"serverRoot": "/elsewhere"}';
    await open();
    expect(openEditor).not.toHaveBeenCalled();
    expect(app.overlays.open.location).toMatchObject({ path: 'src/a.py' });
  });
});
