/** What is added to a question from a page: text of messages, requests and elements for the model. Pure. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { fields, list, number, text } from '../wire.ts';
import type { ConsoleMessage, NetworkRow } from './recorded-rows.ts';
import { pathOf, shortEnd, shortMiddle, shownLine } from './shown-text.ts';

const MAX_MESSAGE = 4000;
const MAX_BODY = 2000;
const MAX_HTML = 2000;
const MAX_HEADERS = 40;

export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface Body {
  readonly text: string;
  readonly type: string;
  readonly isBase64: boolean;
}

export function messageItem(
  { level, message, path, line }: ConsoleMessage,
  source: string,
): ContextItemGiven {
  const place = path ? `\nat ${path}${line ? `:${line}` : ''}` : '';
  return {
    kind: 'error',
    name: shownLine(message, 60) || level,
    text: `Console ${level}: ${shortEnd(message, MAX_MESSAGE)}${place}`,
    source,
  };
}

export function requestName({ method, url, status, state, error }: NetworkRow): string {
  const outcome = status || (error ? 'failed' : state);
  return `${method} ${shownLine(shortMiddle(pathOf(url), 44), 80)} ${outcome}`.trim();
}

export function requestItem(row: NetworkRow, entry: unknown, source: string): ContextItemGiven {
  const { method, url, status, state, error } = row;
  const parts = [
    `${method} ${shortMiddle(url, 500)}`,
    `Status: ${status || 'none'}, ${state}${error ? `: ${error}` : ''}`,
  ];
  for (const side of ['request', 'response'] as const) {
    const lines = headersOf(entry, side)
      .slice(0, MAX_HEADERS)
      .map(({ name, value }) => `${name}: ${shortEnd(value, 200)}`);
    if (lines.length)
      parts.push(`${side === 'request' ? 'Request' : 'Response'} headers:\n${lines.join('\n')}`);
  }
  const sent = text(fields(fields(fields(entry).request).postData).text);
  if (sent) parts.push(`Request body:\n${shortEnd(sent, MAX_BODY)}`);
  const body = bodyOf(entry);
  if (body?.text && !body.isBase64) parts.push(`Response body:\n${shortEnd(body.text, MAX_BODY)}`);
  return { kind: 'request', name: requestName(row), text: parts.join('\n'), source };
}

/** @param hasPicture - its picture goes along, if there is one */
export function elementItem(raw: unknown, source: string, hasPicture = false): ContextItemGiven {
  const picture = hasPicture ? pictureOf(raw) : '';
  const element = fields(raw);
  const preview = fields(element.preview);
  const selector = text(element.selector, text(preview.selector));
  const path = text(element.path_text) || selector;
  const role = text(preview.role, text(element.role));
  const name = text(preview.name, text(element.name));
  const styles = Object.entries(fields(element.styles))
    .map(([style, value]) => `${style}: ${text(value)}`)
    .join('; ');
  const html = text(element.outer_html, text(element.outerHTML));
  const facts = [
    `Element ${path}`,
    componentLine(element.component),
    role || name ? `Role ${role || 'none'}, name “${shownLine(name, 200)}”` : '',
    styles ? `Styles: ${shortEnd(styles, 1000)}` : '',
    html ? `HTML:\n${shortEnd(html, MAX_HTML)}` : '',
  ];
  return {
    kind: 'element',
    name: shownLine(selector || text(preview.tag) || 'element', 60),
    text: facts.filter(Boolean).join('\n'),
    source,
    ...(picture ? { images: [picture] } : {}),
  };
}

/** The component that made an element, as the page's framework tells; "" if it tells nothing. */
function componentLine(raw: unknown): string {
  const component = fields(raw);
  const file = text(component.path) || text(component.file);
  const line = number(component.line);
  const place = file && line ? `${file}:${line}` : file;
  const name = text(component.name);
  if (!name && !place) return '';
  const made = [text(component.framework), 'component', name].filter(Boolean).join(' ');
  return shownLine(place ? `Made by ${made} in ${place}` : `Made by ${made}`, 400);
}

/** Headers of a HAR-shaped entry: a list of `{name, value}`, or an object. */
export function headersOf(entry: unknown, side: 'request' | 'response'): readonly Header[] {
  const { headers } = fields(fields(entry)[side]);
  if (Array.isArray(headers)) {
    return list(headers).map((header) => {
      const { name, value } = fields(header);
      return { name: text(name), value: text(value) };
    });
  }
  return Object.entries(fields(headers)).map(([name, value]) => ({
    name,
    value: text(value, String(value)),
  }));
}

/** The body of the response; null while it isn't known. */
export function bodyOf(entry: unknown): Body | null {
  const { content } = fields(fields(entry).response);
  if (typeof content === 'string') return { text: content, type: '', isBase64: false };
  const { text: body, mimeType, encoding } = fields(content);
  if (typeof body !== 'string') return null;
  return { text: body, type: text(mimeType), isBase64: encoding === 'base64' };
}

/** Picture of a chosen element as a data URI; '' for none. */
export function pictureOf(raw: unknown): string {
  const { screenshot } = fields(raw);
  const { media_type, data, data_uri } = fields(screenshot);
  const uri =
    text(screenshot, text(data_uri)) || (data ? `data:${text(media_type)};base64,${text(data)}` : '');
  return /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/.test(uri) ? uri : '';
}

/** Size of the response in bytes; 0 if unknown. */
export function sizeOf(entry: unknown): number {
  return number(fields(fields(fields(entry).response).content).size);
}
