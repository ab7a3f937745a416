/** Plugin that offers completions of code at the cursor, by the server's model. Off unless the settings say so. */

import { clientId, postCall, readPage, sessionStore } from '@jupyter-ac/page';
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICompletionProviderManager } from '@jupyterlab/completer';
import { DRIVES } from './current-folder.ts';
import { type InlinePorts, InlineProvider, type InlineState } from './inline-provider.ts';

const OFF: InlineState = { enabled: false, delay_ms: 0 };

function portsOf(app: JupyterFrontEnd): InlinePorts {
  const { contents } = app.serviceManager;
  return {
    async state() {
      const page = readPage();
      if (!page) return OFF;
      const answer = await fetch(new URL('jupyter-ac/inline-completion', page.baseUrl), {
        credentials: 'same-origin',
        headers: page.appendToken && page.token ? { Authorization: `token ${page.token}` } : {},
      });
      if (!answer.ok) return OFF;
      const { enabled, delay_ms } = (await answer.json()) as Partial<InlineState>;
      return { enabled: enabled === true, delay_ms: Number(delay_ms) || 0 };
    },
    async complete(folder, { path, prefix, suffix, language, before, after }, signal) {
      const page = readPage();
      if (!page) return '';
      const place = {
        kind: 'jupyter',
        page,
        client: clientId(sessionStore()),
        repo: folder,
        nonce: null,
      } as const;
      const args = [`server:/${path}`, prefix, suffix, language, before, after];
      const answer = await postCall(place, 'LLMService.complete_inline', args, { signal });
      const { text } = (answer ?? {}) as { readonly text?: unknown };
      return typeof text === 'string' ? text : '';
    },
    localPath(path) {
      return DRIVES.has(contents.driveName(path)) ? contents.localPath(path) : null;
    },
    now: () => performance.now(),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
  };
}

export const inlineCompletion: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-ac:inline-completion',
  description: 'Completes code at the cursor by the model that the settings name.',
  autoStart: true,
  optional: [ICompletionProviderManager],
  activate: (app: JupyterFrontEnd, completions: ICompletionProviderManager | null) => {
    completions?.registerInlineProvider?.(new InlineProvider(portsOf(app)));
  },
};
