import { itemSource } from '@jupyter-ac/page';
import type { MimeModel, Renderer, RenderMimeRegistry } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  addErrorCommands,
  ERROR_COMMANDS,
  ERROR_MIME,
  type ErrorOutput,
  type QuestionPanel,
  renderErrors,
} from '../src/error-actions.ts';
import { FakeCommands } from './support/commands.ts';
import { FakeNotebook, FakeTracker, fakeCell } from './support/notebook.ts';

type AddFactory = RenderMimeRegistry['addFactory'];

/** The renderer of JupyterLab. */
class FakeText extends Widget {
  async renderModel(model: MimeModel): Promise<void> {
    this.node.textContent = JSON.stringify(model.data);
  }
}

const DATA = { output_type: 'error', ename: 'NameError', evalue: 'x', traceback: ['\u001b[31mNameError: x'] };
const model = (data: unknown = DATA): MimeModel => ({ trusted: false, data: { [ERROR_MIME]: data } });

const askAbout = vi.fn<QuestionPanel['askAbout']>(async () => {});
let file: FakeNotebook;
let tracker: FakeTracker;

beforeEach(() => {
  vi.clearAllMocks();
  askAbout.mockImplementation(async () => {});
  file = new FakeNotebook([fakeCell('ok'), fakeCell('x', { id: 'b2' })]);
  file.content.rendermime.createRenderer.mockImplementation(() => new FakeText() as unknown as Renderer);
  tracker = new FakeTracker([file]);
  renderErrors(tracker.real, { askAbout });
});

afterEach(() => {
  document.body.replaceChildren();
});

async function drawn(data: unknown = DATA, index = 1): Promise<ErrorOutput> {
  const [factory] = vi.mocked<AddFactory>(file.content.rendermime.addFactory).mock.calls[0] ?? [];
  const output = factory?.createRenderer({ mimeType: ERROR_MIME }) as unknown as ErrorOutput;
  await output.renderModel(model(data));
  file.cells[index]?.node.append(output.node);
  document.body.append(file.node);
  return output;
}

const button = (output: ErrorOutput, hook: string) =>
  output.node.querySelector<HTMLButtonElement>(`[data-ac="${hook}"]`);
const status = (output: ErrorOutput) => output.node.querySelector('[role="status"]')?.textContent;
const question = (call: number) => askAbout.mock.calls[call]?.[1]('repo/a.ipynb', SERVER_PATH).text ?? '';
const item = (call: number) => askAbout.mock.calls[call]?.[1]('repo/a.ipynb', SERVER_PATH).items[0];
const SERVER_PATH = `${'long/'.repeat(50)}a.ipynb`;

it('draws the error as before, with two buttons that have names', async () => {
  const output = await drawn();
  expect(file.content.rendermime.createRenderer).toHaveBeenCalledExactlyOnceWith(
    'application/vnd.jupyter.stderr',
  );
  expect(output.node.textContent).toContain('NameError');
  for (const hook of ['error-fix', 'error-explain']) {
    expect(button(output, hook)?.getAttribute('aria-label')).toContain('AI pair panel');
    expect(button(output, hook)?.hidden).toBe(false);
  }
});

it('keeps the renderer that another extension has for errors', async () => {
  const other = { safe: true, mimeTypes: [ERROR_MIME], createRenderer: vi.fn(() => new FakeText()) };
  file.content.rendermime.getFactory.mockReturnValue(other);
  file.content.rendermime.addFactory.mockClear();
  renderErrors(tracker.real, { askAbout });
  await drawn();
  expect(other.createRenderer).toHaveBeenCalledExactlyOnceWith({ mimeType: ERROR_MIME });
  expect(file.content.rendermime.createRenderer).not.toHaveBeenCalled();
});

it('asks for an edit of the cell, with the notebook ticked', async () => {
  const output = await drawn();
  button(output, 'error-fix')?.click();
  await vi.waitFor(() => expect(askAbout).toHaveBeenCalledOnce());
  expect(askAbout.mock.calls[0]?.[0]).toBe('repo/a.ipynb');
  expect(askAbout.mock.calls[0]?.[2]).toBe(true);
  expect(question(0)).toContain('the cell `id="b2"` (cell 2) of `repo/a.ipynb`');
  expect(item(0)).toMatchObject({ kind: 'error', text: 'NameError: x', cell: 'b2' });
});

it('names the position where the file has no ids', async () => {
  file.content.model.nbformatMinor = 4;
  const output = await drawn();
  button(output, 'error-fix')?.click();
  await vi.waitFor(() => expect(askAbout).toHaveBeenCalledOnce());
  expect(question(0)).toContain('Fix cell 2 of');
  expect(item(0)?.cell).toBe('b2');
});

it('asks for an explanation with the cell, and ticks nothing', async () => {
  const output = await drawn();
  button(output, 'error-explain')?.click();
  await vi.waitFor(() => expect(askAbout).toHaveBeenCalledOnce());
  expect(askAbout.mock.calls[0]?.[2]).toBe(false);
  // As Replace asks for the secrets that were masked in this cell.
  expect(item(0)).toMatchObject({ kind: 'cell', text: 'x', source: itemSource(SERVER_PATH), cell: 'b2' });
});

it('asks once at a time, and says why it can not', async () => {
  let fail = (_: Error): void => {};
  askAbout.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
  const output = await drawn();
  button(output, 'error-fix')?.click();
  button(output, 'error-explain')?.click();
  expect(askAbout).toHaveBeenCalledOnce();
  expect(status(output)).toBe('Asking in the panel …');
  fail(new Error('The panel is answering another question.'));
  await vi.waitFor(() => expect(status(output)).toBe('The panel is answering another question.'));
  expect(button(output, 'error-explain')?.disabled).toBe(false);
});

it('refuses where the error is shown away from its notebook', async () => {
  const output = await drawn();
  document.body.append(output.node);
  button(output, 'error-fix')?.click();
  await vi.waitFor(() => expect(status(output)).toContain('at the cell itself'));
  expect(askAbout).not.toHaveBeenCalled();
});

it('has no buttons for what is no error', async () => {
  const output = await drawn('nothing');
  expect(button(output, 'error-fix')?.hidden).toBe(true);
});

it('asks about the error of the active cell by commands, too', async () => {
  const failed = fakeCell('1/0', { outputs: [DATA] });
  tracker = new FakeTracker([new FakeNotebook([fakeCell('ok'), failed])]);
  const commands = new FakeCommands();
  const report = vi.fn();
  addErrorCommands({ commands: commands.real }, tracker.real, { askAbout }, report);
  const fix = commands.get(ERROR_COMMANDS.fix.id);
  expect(fix.isEnabled?.()).toBe(false);
  fix.execute();
  expect(askAbout).not.toHaveBeenCalled();
  tracker.activate(1);
  expect(fix.isEnabled?.()).toBe(true);
  fix.execute();
  expect(askAbout.mock.calls[0]?.[2]).toBe(true);
  expect(question(0)).toContain('(cell 2)');
  askAbout.mockRejectedValueOnce(new Error('The panel is busy.'));
  commands.get(ERROR_COMMANDS.explain.id).execute();
  await vi.waitFor(() => expect(report).toHaveBeenCalledWith('The panel is busy.'));
  expect(askAbout.mock.calls[1]?.[2]).toBe(false);
});
