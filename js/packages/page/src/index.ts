export { clientId, sessionStore } from './client.ts';
export { type PageConfig, pageConfig, readPage, serverRoot } from './config.ts';
export {
  type Diagram,
  type Diagrams,
  type DrawAnswer,
  type DrawRequest,
  diagramsFile,
  offerDiagrams,
  pageDiagrams,
} from './diagrams.ts';
export { type OpenDocuments, offerDocuments, pageDocuments } from './documents.ts';
export { type Chunk, chunkFile, fontFile, importSource, importUi, uiFile } from './load-ui.ts';
export {
  type JupyterPlace,
  type PagePlace,
  type Place,
  placeKey,
  type RelayPlace,
  socketUrl,
  staticUrl,
} from './place.ts';
export { diagnose, type Fetch, initRepository, lookAround } from './server.ts';
export { type NearbyRepository, readSurroundings, type Surroundings } from './surroundings.ts';
