// A client as the seeds describe it (001, "Browser Side"): jrpc-oo's own class and bundle, nothing of
// this project's. The server's calls are kept in `window.seen`; the test calls through `window.seed`.
import { JRPCClient } from './jrpc-oo.js';

const port = new URLSearchParams(location.search).get('port') ?? '18080';
const RECONNECT_MS = 200;

window.seen = [];
window.connections = 0;

class AcApp extends JRPCClient {
  constructor() {
    super();
    this.serverURI = `ws://${location.hostname}:${port}`;
    this.remoteTimeout = 60;
  }

  connectedCallback() {
    super.connectedCallback();
    this.addClass(this, 'AcApp');
  }

  setupDone() {
    window.connections += 1;
    window.seed = this;
  }

  setupSkip() {
    this._reconnect();
  }

  remoteDisconnected() {
    if (window.seed === this) window.seed = null;
    this._reconnect();
  }

  // jrpc-oo has no reconnection of its own: a new element is a new connection.
  _reconnect() {
    if (this._isReplaced) return;
    this._isReplaced = true;
    setTimeout(() => this.replaceWith(document.createElement('ac-app')), RECONNECT_MS);
  }

  async _extract(method, ...args) {
    const result = await this.call[method](...args);
    if (result && typeof result === 'object') {
      const keys = Object.keys(result);
      if (keys.length === 1) return result[keys[0]];
    }
    return result;
  }

  _saw(name, ...args) {
    window.seen.push([name, ...args]);
    return true;
  }

  streamChunk(requestId, content) {
    return this._saw('streamChunk', requestId, content);
  }
  streamComplete(requestId, result) {
    return this._saw('streamComplete', requestId, result);
  }
  compactionEvent(requestId, event) {
    return this._saw('compactionEvent', requestId, event);
  }
  filesChanged(selectedFiles) {
    return this._saw('filesChanged', selectedFiles);
  }
  startupProgress(stage, message, percent) {
    return this._saw('startupProgress', stage, message, percent);
  }
  userMessage(message) {
    return this._saw('userMessage', message);
  }
  sessionChanged(session) {
    return this._saw('sessionChanged', session);
  }
}

customElements.define('ac-app', AcApp);
document.body.append(document.createElement('ac-app'));
