/** The model that new questions go to, asked of the server without opening a repository. */

import { readPage } from '@jupyter-ac/page';

export interface KnownModel {
  /** '' where there is none, or where only an open panel can tell. */
  readonly model: string;
  /** Why there is none; '' otherwise. */
  readonly message: string;
}

/** null where the server doesn't say. */
export async function askForModel(): Promise<KnownModel | null> {
  const page = readPage();
  if (!page) return null;
  try {
    const answer = await fetch(new URL('jupyter-ac/model', page.baseUrl), {
      credentials: 'same-origin',
      headers: page.appendToken && page.token ? { Authorization: `token ${page.token}` } : {},
    });
    if (!answer.ok) return null;
    const { model, message } = (await answer.json()) as Record<keyof KnownModel, unknown>;
    if (typeof model !== 'string' || typeof message !== 'string') return null;
    return { model, message };
  } catch {
    return null;
  }
}
