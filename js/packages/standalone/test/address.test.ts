import { describe, expect, it } from 'vitest';
import { readAddress } from '../src/address.ts';

const PAGE = 'http://127.0.0.1:18080/';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe("the page's server", () => {
  it.each([
    ['http://127.0.0.1:18080/', 'ws://127.0.0.1:18080/rpc'],
    ['http://localhost:18080/#top', 'ws://localhost:18080/rpc'],
    ['http://127.0.0.1:5173/?port=18080', 'ws://127.0.0.1:18080/rpc'],
    ['http://[::1]:1/?port=2', 'ws://[::1]:2/rpc'],
    ['https://localhost/?port=443', 'wss://localhost/rpc'],
    ['http://127.0.0.1:1/deeper/?x=1', 'ws://127.0.0.1:1/deeper/rpc'],
  ])('of %s is %s', (href, socket) => {
    expect(readAddress(href, null).socket).toBe(socket);
  });

  it.each(['', '0', '65536', '18080.evil.example', '-1', '1e3', ' 80'])('has no port “%s”', (port) => {
    expect(() => readAddress(`${PAGE}?port=${encodeURIComponent(port)}`, null)).toThrow('is no port');
  });
});

describe('the token', () => {
  it('leaves the address and is found again after a reload, for the same server only', () => {
    const store = storage();
    const first = readAddress(`${PAGE}?token=s%26ecret&x=1`, store);
    expect(first).toEqual({
      socket: 'ws://127.0.0.1:18080/rpc?token=s%26ecret',
      shown: `${PAGE}?x=1`,
      plugin: '',
    });
    expect(readAddress(PAGE, store).socket).toBe(first.socket);
    expect(readAddress(`${PAGE}?port=18081`, store).socket).toBe('ws://127.0.0.1:18081/rpc');
  });

  it('that is new replaces the one before', () => {
    const store = storage();
    readAddress(`${PAGE}?token=old`, store);
    expect(readAddress(`${PAGE}?token=new`, store).socket).toContain('token=new');
    expect(readAddress(PAGE, store).socket).toContain('token=new');
  });

  it('goes to the server of the port that is named', () => {
    const { socket, shown } = readAddress(`${PAGE}?port=9&token=a`, storage());
    expect(socket).toBe('ws://127.0.0.1:9/rpc?token=a');
    expect(shown).toBe(`${PAGE}?port=9`);
  });

  it('stays in the address where storage is forbidden', () => {
    const forbidden = () => {
      throw new Error('forbidden');
    };
    const address = readAddress(`${PAGE}?token=a`, { getItem: forbidden, setItem: forbidden });
    expect(address).toEqual({
      socket: 'ws://127.0.0.1:18080/rpc?token=a',
      shown: `${PAGE}?token=a`,
      plugin: '',
    });
    expect(readAddress(PAGE, null)).toEqual({ socket: 'ws://127.0.0.1:18080/rpc', shown: PAGE, plugin: '' });
  });
});

it('names the panel that is shown first, which stays in the address for a reload', () => {
  const address = readAddress(`${PAGE}?token=a&panel=file%2Ftodo`, null);
  expect(address.plugin).toBe('file/todo');
  expect(address.shown).toContain('panel=file%2Ftodo');
  expect(address.socket).not.toContain('panel');
});
