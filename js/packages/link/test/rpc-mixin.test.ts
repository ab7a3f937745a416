import { afterEach, describe, expect, it } from 'vitest';
import { LinkProvider, type LinkStatus, type RpcLink, RpcMixin } from '../src/index.ts';

/** As much of a link as the mixin uses. */
class Link {
  connected = false;
  listeners = new Set<(status: LinkStatus) => void>();
  get status(): LinkStatus {
    return this.connected ? { state: 'open', first: true } : { state: 'connecting' };
  }
  onStatus(listener: (status: LinkStatus) => void) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  open() {
    this.connected = true;
    for (const listener of this.listeners) listener(this.status);
  }
  rpcCall(method: string, ...args: unknown[]) {
    return Promise.resolve({ remote: [method, ...args] });
  }
}

class Probe extends RpcMixin(HTMLElement) {
  ready = 0;
  override onRpcReady() {
    this.ready += 1;
  }
}
customElements.define('probe-element', Probe);

function panel(): { provider: LinkProvider; probe: Probe; root: HTMLElement } {
  const root = document.createElement('div');
  const provider = new LinkProvider(root);
  const inner = document.createElement('div');
  const shadow = inner.attachShadow({ mode: 'open' });
  const probe = document.createElement('probe-element') as Probe;
  document.body.append(root);
  root.append(inner);
  shadow.append(probe);
  return { provider, probe, root };
}

const asLink = (link: Link) => link as unknown as RpcLink;

afterEach(() => document.body.replaceChildren());

describe('an element with RpcMixin', () => {
  it("gets its own panel's link through shadow roots, and no other panel's", async () => {
    const one = panel();
    const other = panel();
    const [first, second] = [new Link(), new Link()];
    one.provider.set(asLink(first));
    other.provider.set(asLink(second));
    first.open();
    expect([one.probe.rpcConnected, other.probe.rpcConnected]).toEqual([true, false]);
    expect([one.probe.ready, other.probe.ready]).toEqual([1, 0]);
  });

  it('is told when the link is there already, and at each reconnect', () => {
    const { provider, probe } = panel();
    const link = new Link();
    link.connected = true;
    provider.set(asLink(link));
    expect(probe.ready).toBe(1);
    link.open();
    expect(probe.ready).toBe(2);
  });

  it('unwraps with rpcExtract and keeps the envelope with rpcCall', async () => {
    const { provider, probe } = panel();
    provider.set(asLink(new Link()));
    const echoed = ['Repo.file_exists', 'a.py'];
    expect(await probe.rpcCall('Repo.file_exists', 'a.py')).toEqual({ remote: echoed });
    expect(await probe.rpcExtract('Repo.file_exists', 'a.py')).toEqual(echoed);
  });

  it('changes over when the panel gets another link', () => {
    const { provider, probe } = panel();
    const [old, next] = [new Link(), new Link()];
    provider.set(asLink(old));
    provider.set(asLink(next));
    expect(old.listeners.size).toBe(0);
    next.open();
    expect(probe.ready).toBe(1);
  });

  it('lets go when it leaves the page', async () => {
    const { provider, probe } = panel();
    const link = new Link();
    provider.set(asLink(link));
    probe.remove();
    expect(link.listeners.size).toBe(0);
    await expect(probe.rpcCall('Repo.is_clean')).rejects.toThrow('no link');
  });
});
