/** Connection target of a panel: repository, client id and transport; and its URLs. */

import type { PageConfig } from './page-config.ts';

/** A repository served by the page's Jupyter server. */
export interface JupyterTarget {
  readonly kind: 'jupyter';
  readonly page: PageConfig;
  readonly client: string;
  /** Absolute directory (widget), path under the server's root (side panel), null for that root. */
  readonly repo: string | null;
  /** Written by the kernel into the repository's state folder: proves to the server that both see the same files. */
  readonly nonce: string | null;
}

/** The repository of a stand-alone server. */
export interface StandaloneTarget {
  readonly kind: 'page';
  /** WebSocket URL of the server, including its token. */
  readonly url: string;
  readonly client: string;
}

/** A repository reached through the kernel; the panel's `openSocket` carries the frames. */
export interface RelayTarget {
  readonly kind: 'relay';
  /** Identifies the repository on the page, e.g. the kernel's directory. */
  readonly key: string;
  readonly client: string;
}

export type ConnectionTarget = JupyterTarget | StandaloneTarget | RelayTarget;

/** URL of the socket; contains the token only where a cookie would not work. */
export function socketUrl(place: ConnectionTarget): string {
  switch (place.kind) {
    case 'jupyter':
      return jupyterSocketUrl(place);
    case 'page': {
      const url = new URL(place.url);
      url.searchParams.set('client', place.client);
      return url.href;
    }
    case 'relay':
      return `relay:?${new URLSearchParams({ client: place.client })}`;
  }
}

/** Storage key of the target's repository; contains no secret. */
export function targetKey(place: ConnectionTarget): string {
  switch (place.kind) {
    case 'jupyter':
      return place.repo ?? '';
    case 'page':
      return new URL(place.url).origin;
    case 'relay':
      return place.key;
  }
}

/** URL of a static file of the server. */
export function staticUrl(page: PageConfig, file: string): string {
  return new URL(`jupyter-ac/static/${encodeURIComponent(file)}`, page.baseUrl).href;
}

function jupyterSocketUrl(place: JupyterTarget): string {
  const url = new URL('jupyter-ac/rpc', place.page.wsUrl);
  if (place.repo !== null) url.searchParams.set('repo', place.repo);
  url.searchParams.set('client', place.client);
  if (place.nonce) url.searchParams.set('nonce', place.nonce);
  if (place.page.appendToken && place.page.token) url.searchParams.set('token', place.page.token);
  return url.href;
}
