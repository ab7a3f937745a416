import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { expect, it, vi } from 'vitest';
import schema from '../schema/panel.json' with { type: 'json' };
import { DEFAULTS, LabSettings, SETTINGS_ID } from '../src/lab-settings.ts';
import { FakeSignal } from './support/notebook.ts';

function registry(composite: Record<string, unknown>) {
  const changed = new FakeSignal();
  const set = vi.fn(async () => {});
  const load = vi.fn(async () => ({ composite, changed, set }));
  return { real: { load } as unknown as ISettingRegistry, changed, set, load };
}

it('has the values of the user, and is told of changes', async () => {
  const composite: Record<string, unknown> = { side: 'left', notificationSeconds: 3 };
  const { real, changed, load, set } = registry(composite);
  const settings = new LabSettings();
  const listener = vi.fn();
  settings.subscribe(listener);
  await settings.load(real);
  expect(load).toHaveBeenCalledWith(SETTINGS_ID);
  expect(settings.values).toEqual({ ...DEFAULTS, side: 'left', notificationSeconds: 3 });
  composite.statusBar = false;
  changed.emit();
  expect(listener).toHaveBeenCalledTimes(2);
  expect(settings.values.statusBar).toBe(false);
  await settings.set('followDocument', false);
  expect(set).toHaveBeenCalledWith('followDocument', false);
});

it('has the defaults where there are no settings, or other values than it knows', async () => {
  const settings = new LabSettings();
  await settings.load(null);
  expect([settings.values, settings.canSet]).toEqual([DEFAULTS, false]);
  await settings.load({ load: async () => Promise.reject(new Error('no schema')) });
  expect([settings.values, settings.canSet]).toEqual([DEFAULTS, false]);
  await settings.load(registry({ side: 'top', statusBar: 'yes', viewer: 7 }).real);
  expect(settings.values).toEqual(DEFAULTS);
});

it('has the defaults of its schema', () => {
  const { properties } = schema;
  const defaults = Object.entries(properties).map(([name, property]) => [name, property.default]);
  expect(Object.fromEntries(defaults)).toEqual(DEFAULTS);
});
