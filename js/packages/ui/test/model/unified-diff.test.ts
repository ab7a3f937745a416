import { describe, expect, it } from 'vitest';
import { type FileDiff, parseUnifiedDiff } from '../../src/model/unified-diff.ts';

const DIFF = `diff --git a/src/a b.py b/src/a b.py
index 1111111..2222222 100644
--- a/src/a b.py\t
+++ b/src/a b.py\t
@@ -3,3 +3,3 @@ def a():
 one
-two
+TWO
 three
@@ -10,2 +10,3 @@
 ten
+diff --git a/x b/x
 eleven
diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+--- not a header
+b
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
index 3333333..0000000
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-a
diff --git a/one.md b/two.md
similarity index 100%
rename from one.md
rename to two.md
diff --git a/empty file.txt b/empty file.txt
new file mode 100644
index 0000000..e69de29
diff --git "a/d\\303\\274nn.txt" "b/d\\303\\274nn.txt"
index 1111111..2222222 100644
--- "a/d\\303\\274nn.txt"
+++ "b/d\\303\\274nn.txt"
@@ -1 +1 @@
-a
+b
diff --git a/p.png b/p.png
index 1111111..2222222 100644
Binary files a/p.png and b/p.png differ
`;

const lines = ({ lines: all }: FileDiff) =>
  all.map((line) =>
    line.sign === '…' ? `…${line.count}` : line.sign + line.parts.map(({ text }) => text).join(''),
  );

describe('a unified diff', () => {
  it('is nothing for nothing', () => {
    expect(parseUnifiedDiff('')).toEqual([]);
  });

  it('is read file by file', () => {
    const files = parseUnifiedDiff(DIFF);
    expect(
      files.map(({ path, kind, added, removed, isBinary }) => [path, kind, added, removed, isBinary]),
    ).toEqual([
      ['src/a b.py', 'changed', 2, 1, false],
      ['new.txt', 'new', 2, 0, false],
      ['old.txt', 'deleted', 0, 1, false],
      ['two.md', 'renamed', 0, 0, false],
      ['empty file.txt', 'new', 0, 0, false],
      ['d\\303\\274nn.txt', 'changed', 1, 1, false],
      ['p.png', 'changed', 0, 0, true],
    ]);
    expect(files[3]?.oldPath).toBe('one.md');
  });

  it('keeps its lines, whatever they look like, and counts those between the hunks', () => {
    const [changed, made, gone] = parseUnifiedDiff(DIFF) as [FileDiff, FileDiff, FileDiff];
    expect(lines(changed)).toEqual([
      ...['…2', ' one', '-two', '+TWO', ' three', '…4', ' ten'],
      ...['+diff --git a/x b/x', ' eleven'],
    ]);
    expect(lines(made)).toEqual(['+--- not a header', '+b']);
    expect(lines(gone)).toEqual(['-a']);
  });

  it('shows what would be invisible', () => {
    const [file] = parseUnifiedDiff(
      'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\r\n+\ty\u202e\r\n',
    ) as [FileDiff];
    expect(lines(file)).toEqual(['-x', '+\ty\\u{202e}']);
  });
});
