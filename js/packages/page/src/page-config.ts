/** Configuration of the Jupyter page: URLs and token of its server. */

export interface PageConfig {
  /** Absolute http(s) URL, with a slash at the end. */
  readonly baseUrl: string;
  /** Absolute ws(s) URL, with a slash at the end. */
  readonly wsUrl: string;
  /** Empty when the page authenticates by cookie only. */
  readonly token: string;
  /** Whether the socket's URL must carry the token because a cookie wouldn't reach the server. */
  readonly appendToken: boolean;
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parse(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Parses the text of `#jupyter-config-data`, relative to the page's address; null on other pages. */
export function pageConfig(json: string | null | undefined, href: string): PageConfig | null {
  const data = parse(json ?? '');
  if (!data || typeof data.baseUrl !== 'string') return null;
  const base = new URL(withSlash(data.baseUrl), href);
  const ws = new URL(withSlash(text(data.wsUrl)) === '/' ? base.href : withSlash(text(data.wsUrl)), base);
  ws.protocol = ws.protocol.replace('http', 'ws');
  return {
    baseUrl: base.href,
    wsUrl: ws.href,
    token: text(data.token),
    appendToken: text(data.appendToken) === 'true' || ws.host !== new URL(href).host,
  };
}

/** The server's root folder, absolute or starting with `~`, without trailing slash; null when it isn't given. */
export function serverRoot(json: string | null | undefined): string | null {
  const root = text(parse(json ?? '')?.serverRoot);
  let end = root.length;
  while (root[end - 1] === '/') end -= 1;
  return root ? root.slice(0, end) : null;
}

/** The configuration of the page that this code runs in (JupyterLab, Notebook 7). */
export function readPage(): PageConfig | null {
  return pageConfig(document.getElementById('jupyter-config-data')?.textContent, location.href);
}
