/** Lines of JSON that `tests/panels/recorded_batches.py` has printed. */
declare module 'virtual:python-batches' {
  const lines: string;
  export default lines;
}
