import '../support/jsdom.ts';
import { tagOf } from '@jupyter-ac/link';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HostController } from '../../src/model/panels/host-controller.ts';
import { type AcPluginPanel, register, usualComponents } from '../../src/panels/index.ts';
import { all, click, drawn, one } from '../support/page.ts';
import { FakeConnection } from '../support/panel-connection.ts';
import { element, textNode } from '../support/panel-trees.ts';

let connection: FakeConnection;
let panel: AcPluginPanel;

beforeEach(async () => {
  register();
  connection = new FakeConnection();
  panel = document.createElement(tagOf('ac-plugin-panel')) as AcPluginPanel;
  panel.controller = new HostController(connection, { schedule: (update) => setTimeout(update) });
  panel.components = usualComponents();
  panel.label = 'Weather';
  document.body.append(panel);
  await panel.controller.initialize(null, { colorScheme: 'light' });
  connection.plugin.updateTree(element('r', [textNode('t', 'sunny')], { _onClickHandlerId: 'r:onClick' }));
  await drawn();
});

afterEach(() => document.body.replaceChildren());

it('shows the tree in a named region, and sends what is clicked', async () => {
  expect(one('panel-tree').getAttribute('aria-label')).toBe('Weather');
  expect(one('panel-tree').innerHTML).toBe('<div>sunny</div>');
  await click(one('panel-tree').firstElementChild);
  expect(connection.last('executeHandler').args).toEqual(['r:onClick', []]);
});

it('shows an error beside the tree, and starts the plugin again', async () => {
  connection.plugin.reportError({ message: 'no such city', stack: 'line 3' });
  await drawn();
  expect(one('panel-error').textContent).toMatch(/no such city\s*line 3\s*Restart/);
  expect(one('panel-tree').textContent).toBe('sunny');
  await click(one('panel-restart'));
  expect(connection.methods().slice(-2)).toEqual(['destroy', 'initialize']);
  expect(all('panel-error')).toEqual([]);
});

it('says that the connection is lost, without offering what cannot be done', async () => {
  connection.close();
  await drawn();
  expect(one('panel-error').textContent).toContain('The connection to the panel was lost.');
  expect(all('panel-restart')).toEqual([]);
});

it('shows the tree again where it is put later', async () => {
  panel.remove();
  document.body.append(panel);
  await drawn();
  expect(one('panel-tree').innerHTML).toBe('<div>sunny</div>');
});

it.each([true, false])(
  'keeps keys from the page around it unless it is in a panel: %s',
  async (isEmbedded) => {
    panel.isEmbedded = isEmbedded;
    let keys = 0;
    const count = () => {
      keys += 1;
    };
    document.body.addEventListener('keydown', count);
    one('panel-tree').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'm', bubbles: true, composed: true }),
    );
    document.body.removeEventListener('keydown', count);
    expect(keys).toBe(isEmbedded ? 1 : 0);
  },
);

it('draws nothing while it is paused, and all that has come when it goes on', async () => {
  panel.isPaused = true;
  await drawn();
  connection.plugin.applyMutations([{ type: 'setText', nodeId: 't', text: 'rainy' }]);
  await drawn();
  expect(one('panel-tree').textContent).toBe('sunny');
  panel.isPaused = false;
  await drawn();
  expect(one('panel-tree').textContent).toBe('rainy');
});
