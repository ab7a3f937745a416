/**
 * The texts that people read, translated as gettext does it: the English text is the name of a message.
 * Placeholders are `%1`, `%2`, … as in JupyterLab. `tools/messages.py` collects the calls of these functions,
 * so their texts must be literals.
 */

/** Translations into one language; texts come back with their placeholders, and in English if unknown. */
export interface Catalogue {
  /** BCP 47 tag, `de-DE`. */
  readonly language: string;
  gettext(text: string): string;
  /** The form for the number; it may stand in the text already, in place of `%1`. */
  ngettext(one: string, other: string, count: number): string;
  pgettext(context: string, text: string): string;
}

/** Global hook shared by the bundles on a page: an entry provides the catalogue before it loads the UI. */
const HOOK = Symbol.for('jupyter-ac.messages');
const ENGLISH = 'en-US';

type Page = { [HOOK]?: Catalogue };

/** Null: English. Texts that were asked for before stay as they are. */
export function provideCatalogue(catalogue: Catalogue | null): void {
  const page = globalThis as Page;
  if (catalogue) page[HOOK] = catalogue;
  else delete page[HOOK];
}

/** Language of the texts, for numbers and dates: BCP 47 tag. */
export function language(): string {
  return (globalThis as Page)[HOOK]?.language ?? ENGLISH;
}

/** The text in the page's language, with the values in place of `%1`, `%2`, …; a literal, or one marked by `N_`. */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return filled((globalThis as Page)[HOOK]?.gettext(text) ?? text, values);
}

/** Marks a text that is translated where it is used: an entry's modules are loaded before the catalogue is. */
export function N_(text: string): string {
  return text;
}

/** The same for a number of things: `%1` is the number, with separators; the values begin at `%2`. */
export function tn(
  one: string,
  other: string,
  count: number,
  ...values: readonly (string | number)[]
): string {
  const catalogue = (globalThis as Page)[HOOK];
  const form = catalogue?.ngettext(one, other, count) ?? (count === 1 ? one : other);
  const number = new Intl.NumberFormat(language()).format(count);
  // From a thousand on they differ; a catalogue may have put the number in.
  const text = number === String(count) ? form : form.replace(String(count), () => number);
  return filled(text, [number, ...values]);
}

/** The same for a text that means different things in different places: `tp('verb', 'Open')`. */
export function tp(context: string, text: string, ...values: readonly (string | number)[]): string {
  return filled((globalThis as Page)[HOOK]?.pgettext(context, text) ?? text, values);
}

/** The text's pieces and the values between them, for values that aren't text, as elements are. */
export function tNodes(text: string, ...values: readonly unknown[]): readonly unknown[] {
  const translated = (globalThis as Page)[HOOK]?.gettext(text) ?? text;
  // With a group in the expression, numbers of placeholders come at odd places.
  return translated
    .split(PLACEHOLDER)
    .map((piece, index) => (index % 2 ? values[Number(piece) - 1] : piece))
    .filter((piece) => piece !== '');
}

const PLACEHOLDER = /%(\d)/;

function filled(text: string, values: readonly (string | number)[]): string {
  if (!values.length) return text;
  return text.replace(/%(\d)/g, (whole, digit: string) => String(values[Number(digit) - 1] ?? whole));
}
