/** Which panel the view of panels shows: remembered by the browser's tab. */

const KEY = 'jupyter-ac.panel';

/** By its source and its id; where storage is forbidden, none is remembered. */
export const chosenPanel = {
  get(): string {
    try {
      return sessionStorage.getItem(KEY) ?? '';
    } catch {
      return '';
    }
  },
  set(key: string): void {
    try {
      sessionStorage.setItem(KEY, key);
    } catch {
      // The choice lasts as long as the page.
    }
  },
};

/** Has the view begin with a panel of the server. */
export function choosePanel(id: string): void {
  chosenPanel.set(`server: ${id}`);
}
