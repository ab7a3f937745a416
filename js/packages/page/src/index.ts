export { clientId, sessionStore } from './client.ts';
export { type PageConfig, pageConfig, readPage } from './config.ts';
export { importSource, importUi, uiFile } from './load-ui.ts';
export {
  type JupyterPlace,
  type PagePlace,
  type Place,
  placeKey,
  type RelayPlace,
  socketUrl,
  staticUrl,
} from './place.ts';
export { diagnose, type Fetch, initRepository } from './server.ts';
