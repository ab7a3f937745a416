/** Finds a target's repository root over a short-lived connection. */

import { type OpenSocket, type RpcLink, tagOf } from '@jupyter-ac/link';
import type { ConfigInfo, LinkStatus } from '@jupyter-ac/link/rpc';
import { type ConnectionTarget, socketUrl } from '@jupyter-ac/page';
import { fields, text } from './model/wire.ts';

const TIMEOUT_MS = 10_000;

/** Absolute root of the target's repository; '' when there is none or the server doesn't say. */
export async function probeRepositoryRoot(place: ConnectionTarget, openSocket?: OpenSocket): Promise<string> {
  const link = document.createElement(tagOf('ac-link')) as RpcLink;
  try {
    const isOpen = await opened(link, socketUrl(place), openSocket);
    return isOpen ? await requestRepositoryRoot(link) : '';
  } catch {
    return '';
  } finally {
    link.close();
  }
}

/** The repository root, over an existing connection. */
export async function requestRepositoryRoot(link: RpcLink): Promise<string> {
  return text(fields<ConfigInfo>(await link.rpcExtract('Settings.get_config_info')).repo_root);
}

function opened(link: RpcLink, url: string, openSocket?: OpenSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const stop = link.onStatus(({ state }: LinkStatus) => {
      if (state === 'connecting') return;
      clearTimeout(timer);
      stop();
      resolve(state === 'open');
    });
    link.open(url, openSocket);
  });
}
