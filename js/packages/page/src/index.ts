export { clientId, sessionStore } from './client.ts';
export { type PageConfig, pageConfig, readPage } from './config.ts';
export { importSource, importUi, uiFile } from './load-ui.ts';
export { type Place, socketUrl, staticUrl } from './place.ts';
export { diagnose, type Fetch, initRepository } from './server.ts';
