/** Languages of code blocks, compared with that of a kernel. Pure. */

/** Other names that code blocks have for a kernel's language. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  python: ['py', 'py3', 'python3', 'ipython', 'ipython3'],
  julia: ['jl'],
  javascript: ['js', 'mjs'],
  typescript: ['ts'],
  bash: ['sh', 'shell'],
  'c++': ['cpp', 'cxx', 'cc'],
  'c#': ['csharp', 'cs'],
  'f#': ['fsharp', 'fs'],
  ruby: ['rb'],
  rust: ['rs'],
  go: ['golang'],
  kotlin: ['kt'],
  haskell: ['hs'],
  octave: ['matlab'],
};

/**
 * Whether a code block can be a cell.
 *
 * @param block - its language as the answer names it; '' fits every kernel
 * @param kernel - the kernel's language as a notebook names it, such as `python` or `C++17`; '' when unknown
 */
export function fitsKernel(block: string, kernel: string): boolean {
  return block === '' || canonical(block) === canonical(kernel);
}

function canonical(name: string): string {
  const lower = name.toLowerCase().replace(/(?<=\+\+|^ipython|^python)[\d.]+$/, '');
  return Object.keys(NAMES).find((language) => NAMES[language]?.includes(lower)) ?? lower;
}
