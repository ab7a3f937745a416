/** JupyterLab, for the panel: passes on what the panel reports, and opens files outside of it. */

import type { EndedActivity, FileLocation, HostPorts, PanelReport } from '@jupyter-ac/ui';

export class PanelHost implements HostPorts {
  #last: PanelReport | null = null;
  readonly #listeners = new Set<(report: PanelReport) => void>();
  readonly #endListeners = new Set<(activity: EndedActivity) => void>();

  /** @param open - opens a file or its differences; returns false to let the panel do it */
  constructor(private readonly open: (location: FileLocation) => boolean) {}

  /** The last report; null until the panel is loaded. */
  get last(): PanelReport | null {
    return this.#last;
  }

  /** Calls the listener after each report, until the returned function is called. */
  subscribe(listener: (report: PanelReport) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onEnd(listener: (activity: EndedActivity) => void): void {
    this.#endListeners.add(listener);
  }

  report(report: PanelReport): void {
    this.#last = report;
    for (const listener of this.#listeners) listener(report);
  }

  ended(activity: EndedActivity): void {
    for (const listener of this.#endListeners) listener(activity);
  }

  openLocation(location: FileLocation): boolean {
    return this.open(location);
  }
}
