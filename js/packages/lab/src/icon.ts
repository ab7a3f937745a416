/** Icon of the side bar: a speech bubble with a branch in it, in the colour of the side bar. */

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20" fill="none" style="display: block; margin: auto"
  stroke="var(--jp-inverse-layout-color3, #616161)" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
  <path d="M4.500 3h11A1.800 1.800 0 0 1 17.300 4.800v7.400A1.800 1.800 0 0 1 15.500 14H10l-3.600 3.200V14H4.500a1.800 1.800 0 0 1-1.800-1.800V4.800A1.800 1.800 0 0 1 4.500 3Z"/>
  <circle cx="7" cy="6.600" r="1.100"/><circle cx="7" cy="10.700" r="1.100"/><circle cx="12.700" cy="7.300" r="1.100"/>
  <path d="M7 7.700v1.900M12.700 8.400c0 1.700-2.400 1.500-4.600 2"/></svg>`;

/** As title icon of a widget and as icon of a command, for which toolbars make an icon of JupyterLab from it. */
export const icon = {
  name: 'jupyter-ac:panel',
  svgstr: SVG,
  render(container: HTMLElement): void {
    container.innerHTML = SVG;
  },
};

/** The same, as the icon of a tab in the main area and in the status bar. */
export const tabIcon = {
  render(container: HTMLElement): void {
    container.innerHTML = SVG;
    container.style.cssText = 'display: flex; align-items: center; align-self: center; margin-right: 4px';
    container.firstElementChild?.setAttribute('width', '16');
    container.firstElementChild?.setAttribute('height', '16');
  },
};
