// Mermaid gets its kinds of diagrams when they are first met. Those that are rare in answers and bring large
// packages along (graph layout, a second KaTeX) are left out of our bundle: it is 0.6 MB over the wire, not 1.0.
const IMPORTER = /[\\/]node_modules[\\/]mermaid[\\/]/;
const LEFT_OUT = [
  'katex',
  'architectureDiagram',
  'cose-bilkent',
  'mindmap-definition',
  'swimlanes',
  'wardleyDiagram',
  'vennDiagram',
  'ishikawaDiagram',
  'cynefinDiagram',
  'railroadDiagram',
  'ebnfDiagram',
  'abnfDiagram',
  'pegDiagram',
];
const SENTENCE = 'Here diagrams of this kind are not drawn.';

/** For esbuild; a part that Mermaid no longer asks for by its name stops the build. */
export const withoutLargeParts = {
  name: 'mermaid',
  setup(build) {
    const met = new Set();
    build.onResolve({ filter: /./ }, ({ kind, importer, path }) => {
      const part = LEFT_OUT.find((name) => path.replace(/^.*\//, '').startsWith(name));
      if (kind !== 'dynamic-import' || !part || !IMPORTER.test(importer)) return null;
      met.add(part);
      return { path, namespace: 'left-out' };
    });
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({
      contents: `throw new Error(${JSON.stringify(SENTENCE)});`,
    }));
    build.onEnd(() => ({
      errors: LEFT_OUT.filter((name) => !met.has(name)).map((name) => ({ text: `Mermaid has no ${name}` })),
    }));
  },
};
