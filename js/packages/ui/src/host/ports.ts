/** Interface between a panel and an application around it, such as JupyterLab. Types only. */

import type { FileLocation } from '../model/file-location.ts';
import type { Status } from '../model/session.ts';

/** What a panel can do for a command of the application. */
export type PanelCommandName =
  | 'new'
  | 'stop'
  | 'commit'
  | 'undo'
  | 'review'
  | 'trim'
  | 'compact'
  | 'mode'
  | 'model'
  | 'settings'
  | 'keys'
  | 'search'
  | 'files'
  | 'context'
  | 'plans'
  | 'browser'
  | 'panels';

/** Work that may take long. */
export type ActivityKind = 'answer' | 'run' | 'commit' | 'message' | 'summary';

/** A conversation of a panel, for the application around it. */
export interface ConversationRef {
  /** Its session's id. */
  readonly id: string;
  /** '' while no other one is open. */
  readonly name: string;
  /** Top of its repository, absolute. */
  readonly root: string;
}

export interface Activity {
  readonly conversation: ConversationRef;
  readonly kind: ActivityKind;
  /** Two activities of a conversation with the same kind and id are the same one. */
  readonly id: string;
  /** Beginning of the question; '' for other kinds. */
  readonly title: string;
}

export interface EndedActivity extends Activity {
  readonly outcome: 'done' | 'failed' | 'stopped';
  /** Why it failed; '' otherwise. */
  readonly reason: string;
}

/** A tool call that waits for the user's decision. */
export interface WaitingCall {
  readonly conversation: ConversationRef;
  /** What it is about. */
  readonly text: string;
}

/** State of the panel, for what the application shows of it. */
export interface PanelReport {
  readonly status: Status;
  /** Name of the repository; '' until it is known. */
  readonly repository: string;
  /** Its top, absolute; '' until it is known. */
  readonly root: string;
  /** '' for no model, or until it is known. */
  readonly model: string;
  /** Tokens of the next request; null until they are counted. */
  readonly tokens: number | null;
  /** The model's limit for a request; 0 when it isn't known. */
  readonly maxTokens: number;
  /** US dollars spent in this conversation; null when no price is known. */
  readonly cost: number | null;
  /** Those of all conversations that the panel has open. */
  readonly activities: readonly Activity[];
  /** Texts in forms of the panel would be lost if it showed another repository; drafts of questions are kept. */
  readonly isUnsaved: boolean;
  /** The first one of each conversation that the panel has open. */
  readonly waiting: readonly WaitingCall[];
  /** Why a command is impossible now, '' when it is possible; a command that isn't offered is missing. */
  readonly obstacles: Readonly<Partial<Record<PanelCommandName, string>>>;
}

/** What the application does for the panel. */
export interface HostPorts {
  /** Called with the first and each changed state. */
  report(report: PanelReport): void;
  /** Called when an activity that was reported has ended. */
  ended(activity: EndedActivity): void;
  /**
   * Opens a file or its differences outside of the panel.
   *
   * @returns false to let the panel open it as usual
   */
  openLocation(location: FileLocation): boolean;
}

/** The panel, for the application. */
export interface HostedPanel {
  /** Performs a command as soon as the panel can be used. Rejects with one sentence when it is impossible. */
  perform(name: PanelCommandName): Promise<void>;
  /**
   * Ticks or unticks files and folders of the Jupyter server; resolves to a sentence about what was left out, or ''.
   *
   * @param serverPaths - under the server's root, with their drives
   */
  tick(serverPaths: readonly string[], isTicked: boolean): Promise<string>;
  /** Whether all files of these paths are ticked; null while it isn't known, or where none of them can be sent. */
  isTicked(serverPaths: readonly string[]): boolean | null;
  /** Ticks files and, into an empty input, writes which ones; rejects with one sentence when none can be sent. */
  mention(serverPaths: readonly string[]): Promise<void>;
  /** Shows what has changed in a file since the last commit, in the panel; rejects with one sentence. */
  showChanges(serverPath: string): Promise<void>;
  /**
   * Shows a conversation that was reported, in a tab; opens one if it was closed meanwhile.
   * Throws with one sentence when the panel shows another repository.
   */
  showConversation(conversation: ConversationRef): void;
  dispose(): void;
}
