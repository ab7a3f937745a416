/** HTTP requests of a panel: diagnosis, nearby repositories, `git init`. */

import { N_, t } from '@jupyter-ac/messages';
import type { ConnectionTarget, JupyterTarget } from './connection-target.ts';
import { type NearbyRepositories, parseNearbyRepositories } from './nearby-repositories.ts';
import type { PageConfig } from './page-config.ts';

export type Fetch = typeof fetch;

const TIMEOUT_MS = 10_000;
const CONFLICT = 409;

function cookie(name: string, cookies: string): string {
  const found = cookies.split(/;\s*/).find((entry) => entry.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
}

function headers(page: PageConfig, cookies: string): Record<string, string> {
  const xsrf = cookie('_xsrf', cookies);
  return {
    ...(xsrf ? { 'X-XSRFToken': xsrf } : {}),
    ...(page.appendToken && page.token ? { Authorization: `token ${page.token}` } : {}),
  };
}

/** One sentence on why the WebSocket failed, as far as plain HTTP shows it. */
export async function diagnose(place: ConnectionTarget, ask: Fetch = fetch): Promise<string> {
  switch (place.kind) {
    case 'jupyter':
      return diagnoseJupyter(place.page, ask);
    case 'page':
      return diagnoseStandalone(place.url, ask);
    case 'relay':
      return t("The kernel can't be reached; when it runs again, run the cell once more.");
  }
}

/**
 * Finds repositories near a folder that is in none; rejects with one sentence.
 *
 * @returns null when the folder is in a repository by now
 */
export async function findNearbyRepositories(
  place: ConnectionTarget,
  ask: Fetch = fetch,
): Promise<NearbyRepositories | null> {
  if (place.kind !== 'jupyter') throw new Error(t(MANUAL_INIT[place.kind]));
  const url = repositoryUrl(place);
  url.searchParams.set('path', place.repo ?? '');
  const answer = await ask(url, {
    credentials: 'same-origin',
    headers: headers(place.page, ''),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status === CONFLICT) return null;
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return parseNearbyRepositories(body);
  throw new Error(sentenceOf(body) ?? t('The server could not look around (status %1).', answer.status));
}

/**
 * Runs `git init` in the target's directory; rejects with one sentence.
 *
 * @param folder - the folder that the user confirmed, absolute; the server refuses any other
 */
export async function initRepository(
  place: ConnectionTarget,
  folder: string,
  cookies: string,
  ask: Fetch = fetch,
): Promise<void> {
  if (place.kind !== 'jupyter') throw new Error(t(MANUAL_INIT[place.kind]));
  const answer = await postFolder(place, { confirm: folder }, cookies, ask);
  if (answer.ok) return;
  const body: unknown = await answer.json().catch(() => null);
  throw new Error(
    sentenceOf(body) ?? t('The server could not make a repository (status %1).', answer.status),
  );
}

/**
 * Opens the target's directory without a repository; rejects with one sentence.
 *
 * @param folder - as for `initRepository`
 */
export async function openPlainFolder(
  place: ConnectionTarget,
  folder: string,
  cookies: string,
  ask: Fetch = fetch,
): Promise<void> {
  if (place.kind !== 'jupyter') throw new Error(t(MANUAL_INIT[place.kind]));
  const answer = await postFolder(place, { confirm: folder, git: false }, cookies, ask);
  if (answer.ok) return;
  const body: unknown = await answer.json().catch(() => null);
  throw new Error(sentenceOf(body) ?? t('The server could not open the folder (status %1).', answer.status));
}

function postFolder(place: JupyterTarget, more: object, cookies: string, ask: Fetch): Promise<Response> {
  return ask(repositoryUrl(place), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', ...headers(place.page, cookies) },
    body: JSON.stringify({ path: place.repo ?? '', ...more }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/**
 * Calls a method of the services by POST, for a page without a socket of its own. An abort ends the call at the server.
 *
 * @returns the result; rejects with one sentence when the server refuses the call
 */
export async function postCall(
  place: JupyterTarget,
  method: string,
  params: readonly unknown[],
  { signal, cookies = document.cookie, ask = fetch }: PostOptions,
): Promise<unknown> {
  const url = new URL('jupyter-ac/rpc', place.page.baseUrl);
  url.searchParams.set('repo', place.repo ?? '');
  url.searchParams.set('client', place.client);
  const answer = await ask(url, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', ...headers(place.page, cookies) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  });
  const body = (await answer.json().catch(() => null)) as {
    readonly result?: unknown;
    readonly error?: { readonly message?: unknown };
  } | null;
  if (answer.ok && body && !body.error) return body.result;
  throw new Error(String(body?.error?.message ?? t('The server answered with status %1.', answer.status)));
}

export interface PostOptions {
  readonly signal: AbortSignal;
  readonly cookies?: string;
  readonly ask?: Fetch;
}

const MANUAL_INIT = {
  page: N_('Run `git init` in the folder, then start the server again.'),
  relay: N_("Run `git init` in the notebook's folder, then run the cell again."),
} as const;

function repositoryUrl(place: JupyterTarget): URL {
  return new URL('jupyter-ac/repository', place.page.baseUrl);
}

async function diagnoseJupyter(page: PageConfig, ask: Fetch): Promise<string> {
  const answer = await get(new URL('jupyter-ac/health', page.baseUrl), ask);
  if (!answer) return t("The Jupyter server can't be reached.");
  if (answer.status === 404) {
    return t(
      'This Jupyter server does not run jupyter_ac: install jupyter-ac in its environment and restart it.',
    );
  }
  if (!answer.ok) return t('The Jupyter server answered with status %1.', answer.status);
  return t('The Jupyter server is up but refused the connection: log in again and reload the page.');
}

const OPEN_PRINTED_ADDRESS = N_('open the address that it printed when it started.');

/** Diagnoses a stand-alone server: it may have been restarted with another token. */
async function diagnoseStandalone(socket: string, ask: Fetch): Promise<string> {
  const url = new URL('/health', socket);
  url.protocol = url.protocol.replace('ws', 'http');
  const answer = await get(url, ask);
  if (!answer) return t('Nothing answers on port %1: start `jupyter ac serve` again.', url.port || '80');
  if (!answer.ok) return t('The server answered with status %1.', answer.status);
  const token = new URL(socket).searchParams.get('token');
  switch (await isAllowed(url, token, ask)) {
    case true:
      return t('The server is up and takes this page in, but the connection failed. It is tried again.');
    case false:
      return token
        ? t("The server refuses this page's token, which may be an old one: %1", t(OPEN_PRINTED_ADDRESS))
        : t('The server asks for its token, and this page has none: %1', t(OPEN_PRINTED_ADDRESS));
    default:
      return t('The server is up but refused the connection: %1', t(OPEN_PRINTED_ADDRESS));
  }
}

/** Whether the server accepts the token; null when it doesn't say. */
async function isAllowed(server: URL, token: string | null, ask: Fetch): Promise<boolean | null> {
  const url = new URL('/access', server);
  if (token) url.searchParams.set('token', token);
  const answer = await get(url, ask);
  const body: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
  if (typeof body !== 'object' || body === null || !('allowed' in body)) return null;
  return typeof body.allowed === 'boolean' ? body.allowed : null;
}

async function get(url: URL, ask: Fetch): Promise<Response | null> {
  try {
    return await ask(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return null;
  }
}

function sentenceOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('message' in body && typeof body.message === 'string' && body.message) return body.message;
  return 'error' in body && typeof body.error === 'string' && body.error ? body.error : null;
}
