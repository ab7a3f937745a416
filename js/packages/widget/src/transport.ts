/** Choice of the transport: the Jupyter server, or the relay through the kernel with the reason for it. */

import { t } from '@jupyter-ac/messages';
import type { Fetch, PageConfig } from '@jupyter-ac/page';

export type Transport =
  | { readonly kind: 'server'; readonly page: PageConfig }
  /** `reason`: one sentence for the user. */
  | { readonly kind: 'relay'; readonly reason: string };

/** Key in local storage; the value `relay` forces the relay. */
export const TRANSPORT_KEY = 'jupyter-ac.door';

const TIMEOUT_MS = 5000;
const INSTEAD = t('the panel talks through the kernel instead.');

export async function chooseTransport(
  page: PageConfig | null,
  storage: Pick<Storage, 'getItem'> | null,
  ask: Fetch = fetch,
): Promise<Transport> {
  const reason = chosenByHand(storage)
    ? t('In this browser %1 is set to relay: %2', TRANSPORT_KEY, INSTEAD)
    : await whyNotServer(page, ask);
  return page && !reason ? { kind: 'server', page } : { kind: 'relay', reason };
}

/** Reason for the relay after the server refused the WebSocket. */
export function refusalReason(reason: string): string {
  return `${withoutStop(reason) || t('The Jupyter server refuses the connection')}; ${INSTEAD}`;
}

/** Without trailing full stops and white space. */
function withoutStop(sentence: string): string {
  let end = sentence.length;
  while (end > 0 && /[.\s]/.test(sentence[end - 1] ?? '')) end -= 1;
  return sentence.slice(0, end);
}

/** Why the server can't be used; '' when it can. */
async function whyNotServer(page: PageConfig | null, ask: Fetch): Promise<string> {
  if (!page) return t('This front end gives no access to a Jupyter server; %1', INSTEAD);
  try {
    const answer = await ask(new URL('jupyter-ac/health', page.baseUrl), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status === 404) return t('This Jupyter server does not run jupyter_ac; %1', INSTEAD);
    if (!answer.ok) return t('The Jupyter server answered with status %1; %2', answer.status, INSTEAD);
    const health: unknown = await answer.json();
    if (typeof health === 'object' && health !== null && 'protocol' in health) return '';
    return t("The Jupyter server gave an answer that is not jupyter_ac's; %1", INSTEAD);
  } catch {
    return t("The Jupyter server can't be reached from this page; %1", INSTEAD);
  }
}

function chosenByHand(storage: Pick<Storage, 'getItem'> | null): boolean {
  try {
    return storage?.getItem(TRANSPORT_KEY) === 'relay';
  } catch {
    return false;
  }
}
