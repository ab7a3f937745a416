/** Controller that sets `data-theme` of its host to light or dark, by its computed background. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Whether a CSS colour (`rgb(…)` or `color(srgb …)`) is dark. */
export function isDark(colour: string): boolean {
  const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  const scale = colour.startsWith('color(') ? 1 : 255;
  const [red = scale, green = scale, blue = scale] = parts;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / scale < 0.5;
}

export class ThemeController implements ReactiveController {
  readonly #observer = new MutationObserver(() => this.#later());
  readonly #preference = matchMedia('(prefers-color-scheme: dark)');
  readonly #onPreference = () => this.#later();

  /** @param onTheme - called initially and after each change */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly onTheme: (isDark: boolean) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    // JupyterLab names its theme in attributes of the body.
    for (const element of [document.body, document.documentElement]) {
      this.#observer.observe(element, { attributes: true });
    }
    this.#preference.addEventListener('change', this.#onPreference);
    this.#later();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#preference.removeEventListener('change', this.#onPreference);
  }

  #later(): void {
    requestAnimationFrame(() => {
      const theme = isDark(getComputedStyle(this.host).backgroundColor) ? 'dark' : 'light';
      if (this.host.dataset.theme === theme) return;
      this.host.dataset.theme = theme;
      this.onTheme(theme === 'dark');
    });
  }
}
