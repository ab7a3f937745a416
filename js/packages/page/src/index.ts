export {
  type ActiveCell,
  type ActiveNotebook,
  CODE_ACTION,
  type CodeAction,
  type CodeActionRequest,
  itemSource,
  type NotebookOutput,
  pageActiveNotebook,
  provideActiveNotebook,
  type SeenCell,
  type SelectedText,
} from './active-notebook.ts';
export {
  type ApprovedCell,
  type CellResult,
  type CellRunner,
  type KernelValue,
  pageCellRunner,
  provideCellRunner,
} from './cell-runner.ts';
export { clientId, localStore, sessionStore } from './client-id.ts';
export {
  type ConnectionTarget,
  type JupyterTarget,
  type RelayTarget,
  type StandaloneTarget,
  socketUrl,
  staticUrl,
  targetKey,
} from './connection-target.ts';
export {
  type Diagram,
  type DiagramRenderer,
  type DrawAnswer,
  type DrawRequest,
  diagramsFile,
  pageDiagramRenderer,
  provideDiagramRenderer,
} from './diagram-renderer.ts';
export { type ErrorOutputData, errorText, MAX_ERROR, plainText, wholeError } from './error-text.ts';
export {
  diagnose,
  type Fetch,
  findNearbyRepositories,
  initRepository,
  openPlainFolder,
  postCall,
} from './http-requests.ts';
export {
  type ErrorFrame,
  type ErrorReport,
  type HistoryRow,
  type KernelAccess,
  type KernelCompletions,
  KernelError,
  type KernelHello,
  type KernelPanels,
  type KernelState,
  type KernelStatus,
  pageKernelAccess,
  provideKernelAccess,
  type VariableDescription,
  type VariableList,
  type VariableRow,
} from './kernel-access.ts';
export { type Chunk, chunkFile, fontFile, importSource, importUi, uiFile } from './load-ui.ts';
export {
  type NearbyRepositories,
  type NearbyRepository,
  parseNearbyRepositories,
} from './nearby-repositories.ts';
export { type OpenDocuments, pageOpenDocuments, provideOpenDocuments } from './open-documents.ts';
export { type PageConfig, pageConfig, readPage, serverRoot } from './page-config.ts';
