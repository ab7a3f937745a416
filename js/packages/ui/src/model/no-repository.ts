/** Store of the page for a folder without a repository: nearby repositories, `git init` after a confirmation, work without git. */

import type { NearbyRepositories } from '@jupyter-ac/page/nearby-repositories';
import { Store } from './store.ts';

/** Actions for a folder without a repository; each may reject. */
export interface RepositoryPorts {
  /** Resolves to null when the folder is in a repository by now. */
  findNearbyRepositories(): Promise<NearbyRepositories | null>;
  /** Runs `git init` in the folder that the user confirmed. */
  initRepository(folder: string): Promise<void>;
  /** Opens the folder without a repository; nothing is written there. */
  openPlainFolder(folder: string): Promise<void>;
  /** Shows another repository instead. */
  openRepository(path: string): Promise<void>;
}

export class NoRepositoryStore extends Store {
  /** null until it is loaded. */
  nearby: NearbyRepositories | null = null;
  /** Why loading failed; '' otherwise. */
  problem = '';
  /** The confirmation is shown. */
  isAsking = false;
  isInitialising = false;
  /** Path of the repository being opened; '' for none. */
  opening = '';
  #isDisposed = false;
  #isLoading = false;

  /**
   * @param onMade called when the folder has become a repository, here or elsewhere, or was opened without one
   * @param onError called with one sentence
   */
  constructor(
    private readonly ports: RepositoryPorts,
    private readonly onMade: () => void,
    private readonly onError: (message: string) => void,
  ) {
    super();
  }

  async refresh(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      this.nearby = await this.ports.findNearbyRepositories();
      this.problem = '';
      if (!this.nearby && !this.#isDisposed) this.onMade();
    } catch (error) {
      this.nearby = null;
      this.problem = messageOf(error);
    } finally {
      this.#isLoading = false;
    }
    this.isAsking &&= this.canInit;
    this.changed();
  }

  get canInit(): boolean {
    return this.nearby !== null && this.nearby.refusal === '';
  }

  /** Shows or hides the confirmation. */
  ask(isAsking: boolean): void {
    if (this.isInitialising) return;
    this.isAsking = isAsking && this.canInit;
    this.changed();
  }

  /** Opens the folder without a repository. */
  async openPlain(): Promise<void> {
    const { nearby } = this;
    if (nearby?.plainRefusal !== '' || this.opening) return;
    this.opening = nearby.folder;
    this.changed();
    try {
      await this.ports.openPlainFolder(nearby.folder);
      if (!this.#isDisposed) this.onMade();
    } catch (error) {
      this.onError(messageOf(error));
    } finally {
      this.opening = '';
      this.changed();
    }
  }

  /** Runs `git init` in the confirmed folder. */
  async init(): Promise<void> {
    const { nearby } = this;
    if (!nearby || !this.isAsking || this.isInitialising) return;
    this.isInitialising = true;
    this.changed();
    try {
      await this.ports.initRepository(nearby.folder);
      if (!this.#isDisposed) this.onMade();
    } catch (error) {
      this.onError(messageOf(error));
      // The folder may be gone, or have become a repository meanwhile.
      void this.refresh();
    } finally {
      this.isInitialising = false;
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
      this.onError(messageOf(error));
    } finally {
      this.opening = '';
      this.changed();
    }
  }

  /** Another folder is shown: results that arrive later are ignored. */
  dispose(): void {
    this.#isDisposed = true;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
