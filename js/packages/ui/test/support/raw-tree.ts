interface Raw {
  name: string;
  path: string;
  type: 'dir' | 'file';
  lines: number;
  children?: Raw[];
  is_binary?: boolean;
}

function grow(root: Raw, path: string, known: Map<string, Raw>): void {
  let at = root;
  const parts = path.split('/');
  parts.forEach((name, index) => {
    const here = parts.slice(0, index + 1).join('/');
    const isFile = index === parts.length - 1;
    const next: Raw = known.get(here) ?? {
      name,
      path: here,
      type: isFile ? 'file' : 'dir',
      lines: 1,
      is_binary: false,
    };
    if (!known.has(here)) {
      at.children ??= [];
      at.children.push(next);
      known.set(here, next);
    }
    at = next;
  });
}

/** The answer of `get_file_tree` for some paths. */
export function rawTree(paths: readonly string[], more: object = {}): object {
  const root: Raw = { name: 'repo', path: '', type: 'dir', lines: 0, children: [] };
  const known = new Map<string, Raw>();
  for (const path of paths) grow(root, path, known);
  return { tree: root, modified: [], staged: [], untracked: [], deleted: [], diff_stats: {}, ...more };
}
