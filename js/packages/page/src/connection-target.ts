/** Which repository a panel is for, as which client, through which door: everything in its URLs. */

import type { PageConfig } from './page-config.ts';

/** A repository that the page's own Jupyter server can open. */
export interface JupyterTarget {
  readonly kind: 'jupyter';
  readonly page: PageConfig;
  readonly client: string;
  /** Absolute directory (widget), path under the server's root (side panel), null for that root. */
  readonly repo: string | null;
  /** What the kernel wrote into the repository's state folder, for the server to compare. */
  readonly nonce: string | null;
}

/** The one repository of a stand-alone server. */
export interface StandaloneTarget {
  readonly kind: 'page';
  /** The server's WebSocket address, its token in it. */
  readonly url: string;
  readonly client: string;
}

/** A repository reached through the kernel; the frames go where the panel's `openSocket` sends them. */
export interface RelayTarget {
  readonly kind: 'relay';
  /** Tells this repository from others on the page, e.g. the kernel's directory. */
  readonly key: string;
  readonly client: string;
}

export type ConnectionTarget = JupyterTarget | StandaloneTarget | RelayTarget;

/** Address of the socket; the token only where a cookie would not do. */
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

/** A name for the place's repository within this browser; holds no secret. */
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

/** Address of a file among the server's static files. */
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
