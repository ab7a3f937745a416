/** Where there is no repository: those nearby, and the question before one is made. */

import type { Surroundings } from '@jupyter-ac/page/surroundings';
import { Store } from './store.ts';

/** What can be done with a folder that is in no repository; all of it may fail. */
export interface FolderPorts {
  lookAround(): Promise<Surroundings>;
  /** Makes a repository of the folder, which the person was asked about. */
  initRepository(folder: string): Promise<void>;
  /** Shows another repository instead. */
  openRepository(path: string): Promise<void>;
}

export class NoRepositoryStore extends Store {
  /** Null until it is known. */
  around: Surroundings | null = null;
  /** Why it can't be known; '' while it may. */
  trouble = '';
  /** The folder is named, and it is asked whether it is the right one. */
  isAsking = false;
  isMaking = false;
  /** The path of the repository that is being opened; '' for none. */
  opening = '';
  #isOver = false;

  /**
   * @param onMade called when the folder has become a repository
   * @param onError called with one sentence
   */
  constructor(
    private readonly ports: FolderPorts,
    private readonly onMade: () => void,
    private readonly onError: (message: string) => void,
  ) {
    super();
  }

  async look(): Promise<void> {
    try {
      this.around = await this.ports.lookAround();
      this.trouble = '';
    } catch (error) {
      this.around = null;
      this.trouble = words(error);
    }
    this.isAsking &&= this.canMake;
    this.changed();
  }

  get canMake(): boolean {
    return this.around !== null && this.around.refusal === '';
  }

  /** Asks before a repository is made, or asks no more. */
  ask(isAsking: boolean): void {
    if (this.isMaking) return;
    this.isAsking = isAsking && this.canMake;
    this.changed();
  }

  /** Makes the repository that was asked about. */
  async make(): Promise<void> {
    const { around } = this;
    if (!around || !this.isAsking || this.isMaking) return;
    this.isMaking = true;
    this.changed();
    try {
      await this.ports.initRepository(around.folder);
      if (!this.#isOver) this.onMade();
    } catch (error) {
      this.onError(words(error));
    } finally {
      this.isMaking = false;
      this.isAsking = false;
      this.changed();
    }
  }

  async open(path: string): Promise<void> {
    if (this.opening) return;
    this.opening = path;
    this.changed();
    try {
      await this.ports.openRepository(path);
    } catch (error) {
      this.onError(words(error));
    } finally {
      this.opening = '';
      this.changed();
    }
  }

  /** Another folder is shown: what is still under way has nothing to do with it. */
  dispose(): void {
    this.#isOver = true;
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
