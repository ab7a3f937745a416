/** Outputs of cells and errors of kernels as text for a model, and their images. Pure. */

import { type ErrorReport, type NotebookOutput, plainText, wholeError } from '@jupyter-ac/page';
import { fields, list, strings, text } from '../model/wire.ts';

/** As for the outputs of ticked notebooks, `jupyter_ac/notebook/output_text.py`. */
const MAX_LINES = 20;
const MAX_LINE_CHARACTERS = 2000;
const MAX_IMAGES = 5;
const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const;

/** Texts of 20 lines at most, errors whole; '' when there is nothing to show. */
export function outputText(outputs: readonly NotebookOutput[]): string {
  return outputs.map(textOf).filter(Boolean).join('\n');
}

/** The last error among the outputs; '' for none. */
export function errorOutput(outputs: readonly NotebookOutput[]): string {
  const error = outputs.findLast(({ output_type }) => output_type === 'error');
  return error ? textOf(error) : '';
}

/** Data URIs of the first images. */
export function outputImages(outputs: readonly NotebookOutput[]): string[] {
  const found = outputs.flatMap(({ data: raw }) => {
    const data = fields(raw);
    const type = IMAGE_TYPES.find((type) => data[type] !== undefined);
    return type ? [`data:${type};base64,${joined(data[type]).replace(/\s/g, '')}`] : [];
  });
  return found.slice(0, MAX_IMAGES);
}

/** An error as the kernel describes it: message, frames with their source and variables, causes. */
export function reportText(report: ErrorReport): string {
  const frames = report.frames.flatMap((frame) => [
    `  ${frame.cell === null ? frame.file : `Cell [${frame.cell}]`}, line ${frame.line}, in ${frame.function}`,
    ...(frame.source ? [indented(frame.source)] : []),
    ...frame.locals.map(({ name, type, line }) => `      ${name}: ${type} = ${line}`),
  ]);
  const left = report.frames_left_out;
  return [
    `${report.type}: ${report.message}`,
    ...report.notes,
    ...(frames.length ? ['Frames, those of the repository first:', ...frames] : []),
    ...(left ? [`  (${counted(left, 'more frame')})`] : []),
    ...report.causes.map((cause) => `Caused by ${cause}`),
  ].join('\n');
}

function indented(source: string): string {
  return source
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function textOf(output: NotebookOutput): string {
  if (output.output_type === 'error') {
    const traceback = strings(output.traceback);
    return wholeError({ ename: text(output.ename), evalue: text(output.evalue), traceback });
  }
  const raw = output.output_type === 'stream' ? output.text : fields(output.data)['text/plain'];
  const lines = plainText(joined(raw)).trimEnd().split('\n');
  const kept = lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS));
  const left = lines.length - kept.length;
  return [...kept, ...(left ? [`(${counted(left, 'more line')})`] : [])].join('\n');
}

/** Notebooks hold a text as a string or as its lines. */
function joined(value: unknown): string {
  return typeof value === 'string' ? value : list(value).map(String).join('');
}

/** In English, whatever the language of the page: a model reads it. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
