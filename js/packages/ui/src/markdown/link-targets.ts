/**
 * Shows where a link leads whose text says something else: `[https://bank.example](https://evil.example)`.
 * `jupyter_ac/hosts/kernel/link_targets.py` has the same rule for the Markdown of a notebook.
 */

/** Not letters, digits or what else a host's name is made of. */
const BETWEEN = /([^\p{L}\p{N}._-]+)/u;
const INVISIBLE = /[\p{Cf}\p{DI}]/gu;
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/;
const TOP_LEVEL = /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/u;
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Adds the target to each link below `root` whose text names another. */
export function showTargets(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const target = hiddenTarget(link.textContent ?? '', link.getAttribute('href') ?? '');
    if (!target) continue;
    // Of its own direction: a control character in the text would turn it round.
    const shown = document.createElement('span');
    shown.className = 'target';
    shown.textContent = `(${target})`;
    link.append(' ', shown);
  }
}

/**
 * What is to be shown of a link's target beside its text; '' when the text doesn't mislead.
 *
 * @param text - what a reader sees of the link
 * @param href - where it leads: http, https or mailto
 */
export function hiddenTarget(text: string, href: string): string {
  const named = hostsIn(text);
  // Most links are plain words to a plain address.
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

/** The hosts that a text names, or seems to. */
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

/** As a reader sees it: without what shows nothing, wide and other forms of letters as the usual ones. */
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
