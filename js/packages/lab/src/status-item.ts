/** Item of JupyterLab's status bar: model, tokens of the next question, cost of the conversation. */

import { N_, t } from '@jupyter-ac/messages';
import type { PanelReport } from '@jupyter-ac/ui';
import { dollars, grouped, tokens } from '@jupyter-ac/ui/format';
import { Widget } from '@lumino/widgets';
import { tabIcon } from './icon.ts';
import type { KnownModel } from './known-model.ts';
import { element } from './panel-output.ts';

const NAME = N_('AI Pair');
const BUTTON =
  'display: flex; gap: 7px; align-items: center; height: 100%; margin: 0; padding: 0 8px; border: 0; cursor: pointer;' +
  'background: transparent; color: inherit; font: inherit; white-space: nowrap';
const MODEL = 'max-width: 14em; overflow: hidden; text-overflow: ellipsis';
const DOT = 'width: 7px; height: 7px; border-radius: 50%; background: var(--jp-brand-color1, #1976d2)';
const PULSE_MS = 1400;
/** How long an answer about the model counts. */
const KNOWN_MS = 10_000;

export class StatusItem extends Widget {
  readonly #button = element('button', BUTTON) as HTMLButtonElement;
  #last = '';
  #report: PanelReport | null = null;
  #known: KnownModel | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param open - shows the panel
   * @param askForModel - asked while the panel isn't loaded, when the user points at the item; null: it isn't known
   */
  constructor(
    open: () => void,
    private readonly askForModel: () => Promise<KnownModel | null>,
  ) {
    super();
    this.id = 'jupyter-ac-status';
    this.addClass('jp-mod-highlighted');
    this.#button.type = 'button';
    this.#button.dataset.ac = 'status-item';
    this.#button.addEventListener('click', open);
    for (const event of ['pointerenter', 'focus'])
      this.#button.addEventListener(event, () => void this.#lookForModel());
    this.node.append(this.#button);
    this.showReport(null);
  }

  /** Shows the state of the panel; null while it isn't loaded. */
  showReport(report: PanelReport | null): void {
    this.#report = report;
    const parts = report?.model || report?.tokens != null ? partsOf(report) : [t(NAME)];
    const isRunning = (report?.activities.length ?? 0) > 0;
    const sentence = report ? sentenceOf(report) : sentenceBefore(this.#known);
    const text = JSON.stringify([parts, isRunning, sentence]);
    if (text === this.#last) return;
    this.#last = text;
    const sign = element('span', '');
    tabIcon.render(sign);
    const spans = parts.map((part, index) => element('span', index === 0 ? MODEL : '', part));
    this.#button.replaceChildren(sign, ...(isRunning ? [dot()] : []), ...spans);
    this.#button.title = sentence;
    this.#button.setAttribute('aria-label', sentence);
    this.#button.dataset.state = isRunning ? 'running' : 'idle';
  }

  async #lookForModel(): Promise<void> {
    if (this.#report || performance.now() - this.#askedAt < KNOWN_MS) return;
    this.#askedAt = performance.now();
    this.#known = await this.askForModel();
    if (!this.#report) this.showReport(null);
  }
}

/** What is said while the panel isn't loaded: neither a socket nor a repository is opened for more. */
function sentenceBefore(known: KnownModel | null): string {
  const name = t(NAME);
  if (known?.model)
    return t('%1: %2. Tokens and costs are known once the panel is open. Open the panel.', name, known.model);
  if (known?.message) return t('%1: no model. %2 Open the panel.', name, known.message);
  return t('%1: open the panel.', name);
}

/** What is read at a glance. */
function partsOf({ model, tokens: count, cost }: PanelReport): string[] {
  const name = model.slice(model.lastIndexOf('/') + 1) || t('No model');
  return [
    name,
    count === null ? '' : t('%1 tokens', tokens(count)),
    cost === null ? '' : dollars(cost),
  ].filter(Boolean);
}

function sentenceOf(report: PanelReport): string {
  const { model, tokens: count, maxTokens, cost, activities, waiting } = report;
  const size =
    count === null
      ? ''
      : maxTokens > 0
        ? t('The next question sends about %1 of at most %2 tokens.', grouped(count), grouped(maxTokens))
        : t('The next question sends about %1 tokens.', grouped(count));
  return [
    t('%1: %2.', t(NAME), model || t('no model')),
    size,
    cost === null ? '' : t('This conversation has cost %1.', dollars(cost)),
    waiting.length ? t('The agent waits for your decision.') : activities.length ? t('It is working.') : '',
    t('Open the panel.'),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The mark of a running answer. */
function dot(): HTMLElement {
  const mark = element('span', DOT);
  mark.setAttribute('aria-hidden', 'true');
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!isCalm)
    mark.animate?.({ opacity: [1, 0.25, 1] }, { duration: PULSE_MS, iterations: Number.POSITIVE_INFINITY });
  return mark;
}
