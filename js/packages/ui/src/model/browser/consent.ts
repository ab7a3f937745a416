/** Consent to what acts in a page: a call that needs it waits for the user's word, and is made then. */

import type { GrantedActions, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type CallResult, toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import { fields, strings } from '../wire.ts';

export interface ConsentQuestion {
  readonly target: string;
  readonly actions: readonly string[];
}

/** Names of the actions for the user. */
const WORDS: Readonly<Record<string, string>> = {
  js: t('scripts'),
  cdp: t('commands of the developer tools'),
  fetch: t('changes of its requests and answers'),
  input: t('clicks and keys'),
  navigate: t('reloading it and opening other addresses'),
};
const NOT_ALLOWED = t('Not done, since you have not allowed it.');
/** A call asks no more often than there are actions. */
const MAX_QUESTIONS = 5;

export class ConsentStore extends Store {
  /** null while there is nothing to ask. */
  question: ConsentQuestion | null = null;
  #answer: (isAllowed: boolean) => void = () => {};

  /**
   * @param granted - what is allowed in a target now
   * @param changed - called when something was allowed or taken back
   */
  constructor(
    private readonly rpc: Rpc,
    private readonly granted: (target: string) => readonly string[],
    private readonly onGranted: (target: string, actions: readonly string[]) => void,
  ) {
    super();
  }

  /** Makes a call that acts in a page; asks the user where that isn't allowed yet. */
  async act(target: string, call: () => Promise<unknown>): Promise<CallResult> {
    for (let asked = 0; ; asked += 1) {
      let missing: readonly string[] = [];
      const result = await toResult(
        call().catch((error: unknown) => {
          missing = missingConsent(error);
          throw error;
        }),
      );
      if (!missing.length || asked >= MAX_QUESTIONS) return result;
      if (!(await this.#ask({ target, actions: missing }))) return { value: null, error: NOT_ALLOWED };
      const error = await this.set(target, [...new Set([...this.granted(target), ...missing])]);
      if (error) return { value: null, error };
    }
  }

  /** The user's word on the open question. */
  answer(isAllowed: boolean): void {
    this.question = null;
    this.#answer(isAllowed);
    this.changed();
  }

  /** Sets what is allowed in a target; resolves to one sentence on why not, or ''. */
  async set(target: string, actions: readonly string[]): Promise<string> {
    const { value, error } = await toResult(this.rpc.rpcExtract('Browser.grant', target, actions));
    if (!error) this.onGranted(target, strings(fields<GrantedActions>(value).granted));
    return error;
  }

  #ask(question: ConsentQuestion): Promise<boolean> {
    // A question that was not answered is taken back by the next one.
    this.#answer(false);
    return new Promise((resolve) => {
      this.question = question;
      this.#answer = resolve;
      this.changed();
    });
  }
}

/** `clicks and keys and scripts` */
export function actionWords(actions: readonly string[]): string {
  const words = actions.map((action) => WORDS[action] ?? action);
  return words.length < 2
    ? words.join('')
    : t('%1, and %2', words.slice(0, -1).join(', '), words.at(-1) ?? '');
}

/** Actions that a refused call needs; empty for another error. The error may come from another bundle. */
function missingConsent(error: unknown): readonly string[] {
  const { type, data } = fields(error);
  return type === 'invalid_state' ? strings(fields(data).consent) : [];
}
