/** A row of a web page as the server sends it; without more, the page is ready and included. */
export function urlRow(url: string, more: object = {}): object {
  return {
    url,
    type: 'generic',
    display_name: url.slice('http://'.length),
    title: '',
    state: 'ready',
    included: true,
    error: null,
    fetched_at: '2026-01-01T00:00:00+00:00',
    ...more,
  };
}
