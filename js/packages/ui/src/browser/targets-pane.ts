/** Pane of browsers and their pages: launch, attach, watch, reload, quit. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { Step } from '../model/browser/page-navigation.ts';
import type { Target } from '../model/browser/recorded-rows.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';
import { base } from '../styles/tokens.ts';
import { grantedLine } from './consent-question.ts';
import { paneStyles } from './styles.ts';

const TYPES: Readonly<Record<string, string>> = {
  page: t('page'),
  iframe: t('frame'),
  service_worker: t('service worker'),
  worker: t('worker'),
  shared_worker: t('shared worker'),
};

export class AcBrowserTargets extends LitElement {
  static override properties = { store: { attribute: false } };
  static override styles = [
    base,
    paneStyles,
    css`
      .target {
        display: flex;
        flex-direction: column;
        gap: 3px;
        padding: 8px 12px;
        border-bottom: 1px solid var(--ac-line);
      }
      .target.watched {
        box-shadow: inset 3px 0 var(--ac-accent);
      }
      h3 {
        font-size: 13px;
      }
      .granted {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 6px;
        align-items: center;
      }
      .granted .wrap {
        flex: 1 1 0;
      }
      .address {
        display: flex;
        gap: 4px;
        align-items: center;
        margin: 3px 0;
      }
      .address input {
        flex: 1;
        font: 12px/1.5 var(--ac-mono);
      }
      .browser {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        align-items: center;
        padding: 6px 12px;
        border-bottom: 1px solid var(--ac-line);
        background: var(--ac-surface);
      }
      .browser h3 {
        flex: 1 1 120px;
        min-width: 0;
      }
    `,
  ];

  declare store: BrowserStore;

  constructor() {
    super();
    new StoreController(this, () => [this.store]);
  }

  protected override render(): TemplateResult {
    const { targets, isLoaded } = this.store;
    const browsers = [...new Set(targets.map(({ browser }) => browser))];
    return html`${this.#forms()}
      <div class="scroll">
        ${isLoaded ? nothing : html`<p class="none muted" role="status">${icons.spinner} ${t('Looking for browsers …')}</p>`}
        ${isLoaded && !targets.length ? html`<p class="none muted">${tNodes('No browser yet. Launch one with an empty profile, or attach to one that you have started with %1. Nothing is recorded before you watch a page.', html`<code>--remote-debugging-port=9222</code>`)}</p>` : nothing}
        ${browsers.map((browser) => this.#browser(browser))}
      </div>`;
  }

  #forms(): TemplateResult {
    const { busy } = this.store;
    return html`<div class="filters">
      <form @submit=${this.#launch}>
        <input name="url" type="text" inputmode="url" data-ac="browser-url" placeholder=${t('localhost:8000')} aria-label=${t('Address to open')} spellcheck="false" />
        <button class="button primary" type="submit" data-ac="browser-launch" aria-disabled=${busy !== ''}>${busy === 'launch' ? icons.spinner : nothing} ${t('Launch')}</button>
      </form>
      <form @submit=${this.#attach}>
        <input class="port" name="port" type="text" data-ac="browser-port" value="9222" aria-label=${t('Port of a running browser')} spellcheck="false" />
        <button class="button" type="submit" data-ac="browser-attach" aria-disabled=${busy !== ''}>${busy === 'attach' ? icons.spinner : nothing} ${t('Attach')}</button>
      </form>
    </div>`;
  }

  #browser(browser: string): TemplateResult {
    const { store } = this;
    const targets = store.targets.filter((target) => target.browser === browser);
    const isLaunched = targets.some((target) => target.isLaunched);
    const name = shownLine(targets[0]?.product ?? '', 60) || t('Browser');
    return html`<section aria-label=${t('%1, number %2', name, shownLine(browser, 60))}>
      <div class="browser">
        <h3 class="cut"><bdi>${name}</bdi> <span class="muted">${isLaunched ? t('started by you') : t('attached')}</span></h3>
        <button class="button small" type="button" data-ac="browser-quit" data-browser=${browser} aria-disabled=${store.busy !== ''}
          @click=${() => void store.quit(browser)}>${isLaunched ? t('Quit') : t('Leave')}</button>
      </div>
      <ul class="plain">${repeat(
        targets,
        ({ id }) => id,
        (target) => this.#target(target),
      )}</ul>
    </section>`;
  }

  #target(target: Target): TemplateResult {
    const { store } = this;
    const { id, type, url, state, epoch, errors, events, isWatched } = target;
    const title = shownLine(target.title, 120) || t('Without a title');
    return html`<li class="target ${isWatched ? 'watched' : ''}" data-ac="browser-target" data-id=${id} data-state=${state} data-watched=${isWatched}>
      <span class="cut" title=${shownLine(target.title, 500)}><strong><bdi>${title}</bdi></strong> <span class="muted">${TYPES[type] ?? shownLine(type, 30)}</span></span>
      <span class="cut mono muted" title=${shownUrl(url, 1000)}><bdi>${shownUrl(url)}</bdi></span>
      ${
        isWatched
          ? html`<span class="facts muted number">${t('%1, connection %2 · %3 ·', shownLine(state, 30), epoch, tn('%1 event', '%1 events', events))}
            ${errors ? html`<span class="bad">${icons.warning} ${tn('%1 error', '%1 errors', errors)}</span>` : t('no errors')}</span>`
          : nothing
      }
      ${grantedLine(store, target)} ${isWatched && type === 'page' ? this.#address(target, title) : nothing}
      <div class="actions">
        <button class="button small" type="button" data-ac="browser-watch" aria-pressed=${isWatched} aria-disabled=${store.busy !== ''}
          aria-label=${`${isWatched ? t('Stop to watch') : t('Watch')} ${title}`}
          @click=${() => void store.setWatched(id, !isWatched)}>${store.busy === id ? icons.spinner : nothing} ${isWatched ? t('Unwatch') : t('Watch')}</button>
        ${isWatched ? this.#move(target, 'reload', html`${icons.refresh} ${t('Reload')}`, t('Reload %1', title)) : nothing}
      </div>
    </li>`;
  }

  /** Where a page is, and the way elsewhere. */
  #address({ id, url }: Target, title: string): TemplateResult {
    const shown = shownUrl(url, 2000);
    const go = (event: SubmitEvent) => {
      event.preventDefault();
      const typed = fieldValue(event, 'address');
      void this.store.goTo(id, typed === shown ? url : typed);
    };
    return html`<form class="address" @submit=${go}>
      ${this.#move({ id }, 'back', icons.chevronLeft, t('Back in %1', title))}
      ${this.#move({ id }, 'forward', icons.chevronRight, t('Forward in %1', title))}
      <input name="address" type="text" inputmode="url" data-ac="browser-address" aria-label=${t('Address of %1', title)} spellcheck="false" .value=${shown} />
      <button class="button" type="submit" data-ac="browser-go" aria-disabled=${this.store.busy !== ''}>${t('Go')}</button>
    </form>`;
  }

  #move(
    { id }: Pick<Target, 'id'>,
    how: Step | 'reload',
    content: TemplateResult,
    label: string,
  ): TemplateResult {
    const isReload = how === 'reload';
    return html`<button class=${isReload ? 'button small' : 'icon-button'} type="button" data-ac=${`browser-${how}`} aria-label=${label} title=${isReload ? nothing : label}
      aria-disabled=${this.store.busy !== ''} @click=${() => void this.store.move(id, how)}>${content}</button>`;
  }

  readonly #launch = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.store.launch(fieldValue(event, 'url'));
  };

  readonly #attach = (event: SubmitEvent): void => {
    event.preventDefault();
    const endpoint = fieldValue(event, 'port');
    if (endpoint.trim()) void this.store.attach(endpoint);
    else this.store.say(t('Enter the port that the browser was started with.'));
  };
}

function fieldValue(event: SubmitEvent, name: string): string {
  const field = (event.currentTarget as HTMLFormElement).elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : '';
}
