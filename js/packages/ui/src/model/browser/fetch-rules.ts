/** Rules for requests as the rows of an editor, and as the server's `{mock, block, delay, pause}`. Pure. */

import { t } from '@jupyter-ac/messages';
import { fields, number, strings, text } from '../wire.ts';

export type RuleKind = 'mock' | 'block' | 'delay' | 'pause';

export interface Rule {
  readonly kind: RuleKind;
  /** Pattern of addresses, with `*`. */
  readonly pattern: string;
  /** Milliseconds of a delay, body of a mock; '' otherwise. */
  readonly value: string;
  /** Status of a mock's answer. */
  readonly status: number;
  /** Headers of a mock, which the editor keeps as they are; null for none. */
  readonly headers: unknown;
}

export type FetchRules = Record<string, unknown>;

export const RULE_KINDS: readonly RuleKind[] = ['mock', 'block', 'delay', 'pause'];
export const NEW_RULE: Rule = { kind: 'block', pattern: '', value: '', status: 200, headers: null };
const MAX_DELAY_MS = 60_000;

export function rulesToRows(raw: unknown): readonly Rule[] {
  const answer = fields(raw);
  const rules = fields(answer.rules ?? raw);
  const mocks = Object.entries(fields(rules.mock)).map(([pattern, answer]) => mockRow(pattern, answer));
  const delays = Object.entries(fields(rules.delay)).map(([pattern, ms]) => {
    return { ...NEW_RULE, kind: 'delay' as const, pattern, value: String(number(ms)) };
  });
  const lists = (['block', 'pause'] as const).flatMap((kind) =>
    strings(rules[kind]).map((pattern) => ({ ...NEW_RULE, kind, pattern })),
  );
  return [...mocks, ...lists, ...delays];
}

function mockRow(pattern: string, answer: unknown): Rule {
  const { body, status, headers } = fields(answer);
  const isWhole = typeof answer === 'object' && (body !== undefined || status !== undefined);
  const value = isWhole ? body : answer;
  return {
    kind: 'mock',
    pattern,
    value: typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value),
    status: number(isWhole ? status : 0) || 200,
    headers: isWhole ? (headers ?? null) : null,
  };
}

export function rowsToRules(rows: readonly Rule[]): FetchRules {
  const of = (kind: RuleKind) => rows.filter((row) => row.kind === kind);
  const patterns = (kind: RuleKind) => of(kind).map(({ pattern }) => pattern.trim());
  return {
    mock: Object.fromEntries(
      of('mock').map(({ pattern, value, status, headers }) => [
        pattern.trim(),
        { body: value, status, ...(headers === null ? {} : { headers }) },
      ]),
    ),
    block: patterns('block'),
    delay: Object.fromEntries(of('delay').map(({ pattern, value }) => [pattern.trim(), Number(value)])),
    pause: patterns('pause'),
  };
}

/** One sentence on the first rule that can't be set; '' if all can. */
export function ruleProblem(rows: readonly Rule[]): string {
  const seen = new Set<string>();
  for (const { kind, pattern, value, status } of rows) {
    const key = `${kind} ${pattern.trim()}`;
    if (!pattern.trim()) return t('A rule has no pattern.');
    if (seen.has(key)) return t('There are two rules “%1”.', text(key));
    seen.add(key);
    const delay = Number(value);
    if (kind === 'delay' && !(value.trim() && delay >= 0 && delay <= MAX_DELAY_MS)) {
      return t('The delay of %1 must be between 0 and %2 ms.', pattern.trim(), MAX_DELAY_MS);
    }
    if (kind === 'mock' && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
      return t('The status of %1 must be between 200 and 599.', pattern.trim());
    }
  }
  return '';
}
