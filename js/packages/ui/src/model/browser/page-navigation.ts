/** Takes a page to an address, back, forward, or loads it again; asks for consent where it is missing. */

import type { HistoryStepRow, NavigateRow, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type Fields, fields, text } from '../wire.ts';
import type { ConsentStore } from './consent.ts';

export type Step = 'back' | 'forward';

/** Each method resolves to one sentence on why it was not done, or ''. */
export class PageNavigation {
  constructor(
    private readonly rpc: Rpc,
    private readonly consent: ConsentStore,
  ) {}

  async goTo(target: string, address: string): Promise<string> {
    const { value, error } = await this.consent.act(target, () =>
      this.rpc.rpcExtract('Browser.navigate', withScheme(address), target),
    );
    return error || outcome(fields<NavigateRow>(value));
  }

  async step(target: string, step: Step): Promise<string> {
    const { value, error } = await this.consent.act(target, () =>
      this.rpc.rpcExtract(`Browser.${step}`, target),
    );
    if (error || fields<HistoryStepRow>(value).navigated === true) return error;
    return step === 'back' ? t('There is no page before this one.') : t('There is no page after this one.');
  }

  async reload(target: string): Promise<string> {
    const { error } = await this.consent.act(target, () =>
      this.rpc.rpcExtract('Browser.reload', false, target),
    );
    return error;
  }
}

function outcome({ error, is_download }: Fields<NavigateRow>): string {
  if (is_download === true) return t('The address is a file, which was downloaded; the page stays.');
  return text(error) && t('The page could not be loaded: %1.', text(error));
}

/** An address without a scheme is one of the web; '' is an empty page. */
export function withScheme(url: string): string {
  const trimmed = url.trim();
  if (!trimmed) return 'about:blank';
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|about:)/i.test(trimmed) ? trimmed : `http://${trimmed}`;
}
