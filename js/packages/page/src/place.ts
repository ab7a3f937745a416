/** Which repository a panel is for, as which client, on which server: everything in its URLs. */

import type { PageConfig } from './config.ts';

export interface Place {
  readonly page: PageConfig;
  readonly client: string;
  /** Absolute directory (widget), path under the server's root (side panel), null for that root. */
  readonly repo: string | null;
  /** What the kernel wrote into the repository's state folder, for the server to compare. */
  readonly nonce: string | null;
}

/** Address of the socket; the token only where a cookie would not do. */
export function socketUrl(place: Place): string {
  const url = new URL('jupyter-ac/rpc', place.page.wsUrl);
  if (place.repo !== null) url.searchParams.set('repo', place.repo);
  url.searchParams.set('client', place.client);
  if (place.nonce) url.searchParams.set('nonce', place.nonce);
  if (place.page.appendToken && place.page.token) url.searchParams.set('token', place.page.token);
  return url.href;
}

/** Address of a file among the server's static files. */
export function staticUrl(page: PageConfig, file: string): string {
  return new URL(`jupyter-ac/static/${encodeURIComponent(file)}`, page.baseUrl).href;
}
