/**
 * Reveals the target of misleading links, e.g. `[https://bank.example](https://evil.example)`.
 * `jupyter_ac/hosts/kernel/link_targets.py` implements the same rules for the Markdown of a notebook.
 */

/** Separators: characters that can't be part of a host name. */
const BETWEEN = /([^\p{L}\p{N}._-]+)/u;
const INVISIBLE = /[\p{Cf}\p{DI}]/gu;
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/;
const TOP_LEVEL = /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/u;
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Appends the target's host to each misleading link below `root`. */
export function showTargets(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const target = hiddenTarget(link.textContent ?? '', link.getAttribute('href') ?? '');
    if (!target) continue;
    // A separate element with its own text direction: a bidi control character in the text would reverse it.
    const shown = document.createElement('span');
    shown.className = 'target';
    shown.textContent = `(${target})`;
    link.append(' ', shown);
  }
}

/**
 * The part of a link's target to show beside its text; '' when the text isn't misleading.
 *
 * @param text - the visible text of the link
 * @param href - its target: http, https or mailto
 */
export function hiddenTarget(text: string, href: string): string {
  const named = hostsIn(text);
  // Fast path for most links: plain words with a plain address.
  if (!named.length && PLAIN.test(href) && !href.includes('xn--')) return '';
  const url = parsed(href);
  if (!url) return href;
  if (url.protocol === 'mailto:') {
    const mailbox = decoded(url.pathname);
    return named.length && plain(text) !== plain(mailbox) ? mailbox : '';
  }
  const host = bare(url.hostname);
  const isDressed = url.username !== '' || url.password !== '' || host.includes('xn--');
  return isDressed || named.some((each) => each !== host) ? url.hostname : '';
}

/** Host names that occur in a text, or appear to. */
function hostsIn(text: string): string[] {
  const parts = plain(text).split(BETWEEN);
  const found: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const name = trimmed(parts[at] ?? '');
    const isAfterScheme = /[/\\]{2}$/.test((parts[at - 1] ?? '').slice(-2));
    if (name && (isAfterScheme || isDotted(name)))
      found.push(bare(parsed(`http://${name}`)?.hostname ?? name));
  }
  return found;
}

function isDotted(name: string): boolean {
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return TOP_LEVEL.test(labels.at(-1) ?? '') || NUMBERS.test(name);
}

/** Normalises a text as a reader sees it: without invisible characters, with compatibility forms folded (NFKC). */
function plain(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').replaceAll('\u3002', '.').trim().toLowerCase();
}

function trimmed(name: string): string {
  let begin = 0;
  let end = name.length;
  while (name[begin] === '.') begin += 1;
  while (end > begin && name[end - 1] === '.') end -= 1;
  return name.slice(begin, end);
}

function bare(host: string): string {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.startsWith('www.') ? name.slice(4) : name;
}

function parsed(url: string): URL | null {
  try {
    return new URL(url, document.baseURI);
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
