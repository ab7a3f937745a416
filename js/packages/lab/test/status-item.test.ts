import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KnownModel } from '../src/known-model.ts';
import { StatusItem } from '../src/status-item.ts';
import { CONVERSATION, panelReport } from './support/report.ts';

let item: StatusItem;
const open = vi.fn();
const ask = vi.fn(async (): Promise<KnownModel | null> => null);
const button = (): HTMLButtonElement => item.node.querySelector('button') as HTMLButtonElement;

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  item = new StatusItem(open, ask);
});

afterEach(() => void vi.unstubAllGlobals());

it('opens the panel, also before it is loaded', () => {
  expect(button().textContent?.trim()).toBe('AI Pair');
  expect(button().getAttribute('aria-label')).toBe('AI Pair: open the panel.');
  button().click();
  expect(open).toHaveBeenCalledOnce();
});

it('says the model before the panel is loaded, once the user points at it', async () => {
  expect(ask).not.toHaveBeenCalled();
  ask.mockResolvedValueOnce({ model: 'openai/gpt-a', message: '' });
  button().dispatchEvent(new Event('pointerenter'));
  await vi.waitFor(() =>
    expect(button().title).toBe(
      'AI Pair: openai/gpt-a. Tokens and costs are known once the panel is open. Open the panel.',
    ),
  );
  expect(button().textContent?.trim()).toBe('AI Pair');
  button().dispatchEvent(new Event('focus'));
  expect(ask).toHaveBeenCalledOnce();
});

it('says why there is no model, or no more than it knows', async () => {
  ask.mockResolvedValueOnce({ model: '', message: 'No key is set.' });
  button().dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(button().title).toBe('AI Pair: no model. No key is set. Open the panel.'));
  item = new StatusItem(open, ask);
  button().dispatchEvent(new Event('focus'));
  await ask.mock.results.at(-1)?.value;
  expect(button().title).toBe('AI Pair: open the panel.');
});

it('asks nobody once the panel is loaded, and keeps to what that says', async () => {
  let answer: (known: KnownModel) => void = () => {};
  ask.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  button().dispatchEvent(new Event('pointerenter'));
  item.showReport(panelReport());
  answer({ model: 'openai/gpt-b', message: '' });
  await ask.mock.results[0]?.value;
  expect(button().title).toContain('openai/gpt-a. The next');
  button().dispatchEvent(new Event('focus'));
  expect(ask).toHaveBeenCalledOnce();
});

it('shows model, tokens and cost, and says them in sentences', () => {
  item.showReport(panelReport());
  expect(button().textContent?.trim()).toBe('gpt-a12.3k tokens$0.25');
  expect(button().title).toBe(
    'AI Pair: openai/gpt-a. The next question sends about 12,345 of at most 128,000 tokens. ' +
      'This conversation has cost $0.25. Open the panel.',
  );
  item.showReport(panelReport({ cost: null, maxTokens: 0, model: '' }));
  expect(button().textContent?.trim()).toBe('No model12.3k tokens');
  expect(button().title).not.toContain('$');
});

it('marks what runs, and says that the agent waits', () => {
  item.showReport(panelReport());
  expect(button().dataset.state).toBe('idle');
  const activities = [{ conversation: CONVERSATION, kind: 'answer', id: 'r', title: '' }] as const;
  item.showReport(panelReport({ activities }));
  expect(button().dataset.state).toBe('running');
  expect(button().title).toContain('It is working.');
  item.showReport(panelReport({ activities, waiting: [{ conversation: CONVERSATION, text: 'pytest' }] }));
  expect(button().title).toContain('The agent waits for your decision.');
});

it('changes nothing in the page while nothing changes', () => {
  item.showReport(panelReport());
  const [before] = button().childNodes;
  item.showReport(panelReport());
  expect(button().childNodes[0]).toBe(before);
});
