/** Element above the files: branch, sorting, sets, new files; the menus, forms and questions of actions on files. */

import { t, tn } from '@jupyter-ac/messages';
import { localStore } from '@jupyter-ac/page';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { openLocation } from '../elements/location-links.ts';
import type { FileRequest } from '../elements/picker.ts';
import type { Breakdown } from '../model/breakdown.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { FLAGS, type TreeNode } from '../model/tree.ts';
import { fieldStyles, formStyles, popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import { type BranchChoice, FileChanges } from './changes.ts';
import { Exclusions } from './exclusions.ts';
import {
  type ActionId,
  actionsOf,
  deleteConfirmation,
  discardConfirmation,
  type FileAction,
  type Hindrances,
  newPath,
  refusalOf,
} from './file-actions.ts';
import { type FileSetChoice, FileSets, missingSentence } from './file-sets.ts';
import { branchIcon, filePlus, setsIcon, sortIcon } from './icons.ts';
import { branchMenu, fileMenu, setsMenu, sortMenu } from './menus.ts';
import { PopupController } from './popup.ts';
import { type Asked, QuestionController } from './question.ts';
import { BY_NAME, orderOf, parseSorting, type Sorting, type SortKey } from './sorting.ts';
import { toolsStyles } from './styles.ts';

const SORTING = 'jupyter-ac.files-sorting';

type Menu =
  | { readonly kind: 'file'; readonly node: TreeNode }
  | { readonly kind: 'branches'; readonly branches: readonly BranchChoice[] | null; readonly error: string }
  | { readonly kind: 'sort' }
  | { readonly kind: 'sets'; readonly sets: readonly FileSetChoice[] | null; readonly error: string };

export class AcPickerTools extends LitElement {
  static override properties = { session: { attribute: false }, request: { attribute: false } };
  static override styles = [base, fieldStyles, formStyles, popoverStyles, toolsStyles];

  declare session: Session;
  /** The newest action that is wanted; null before the first. */
  declare request: FileRequest | null;
  #menu: Menu | null = null;
  #sorting: Sorting = BY_NAME;
  /** The breakdown whose tokens the files are sorted by. */
  #sortedWith: Breakdown | null = null;
  #knownExclusions: Exclusions | null = null;
  readonly #question = new QuestionController(this, () => this.dispatchEvent(new CustomEvent('ac-done')));
  readonly #popup = new PopupController(
    this,
    () => this.#question.close(),
    () => {
      this.#menu = null;
    },
  );

  constructor() {
    super();
    this.request = null;
    this.#sorting = parseSorting(localStore()?.getItem(SORTING) ?? null);
    new StoreController(this, () => [
      ...[this.session, this.session.files, this.session.commit, this.session.review],
      this.session.breakdown,
    ]);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const hasOtherTokens = this.session.breakdown.breakdown !== this.#sortedWith;
    if (changed.has('session') || (this.#sorting.key === 'tokens' && hasOtherTokens)) this.#sort();
    if (changed.has('request') && this.request) this.#take(this.request);
  }

  protected override render(): TemplateResult {
    return html`${this.#bar()} ${this.#question.render()}
      ${
        this.#menu
          ? html`<div class="popover" popover="manual" role="menu" tabindex="-1" data-ac="picker-popup" data-kind=${this.#menu.kind}
              aria-label=${this.#menuName()} @keydown=${this.#popup.onKey}>${this.#menuContent(this.#menu)}</div>`
          : nothing
      }`;
  }

  #bar(): TemplateResult {
    const branch = this.session.hasGit ? this.session.files.branch : '';
    const { key, isReversed } = this.#sorting;
    const isSorted = key !== 'name' || isReversed;
    return html`<div class="bar" role="toolbar" aria-label=${t('Branch and files')}>
      ${
        branch
          ? html`<button class="pill" type="button" data-ac="branch-menu" title=${t('Switch branches')} aria-haspopup="menu"
              @click=${this.#openBranches}>${branchIcon} <span>${branch}</span> ${icons.chevronDown}</button>`
          : nothing
      }
      <span class="space"></span>
      <button class="icon-button ${isSorted ? 'on' : ''}" type="button" data-ac="picker-sort" data-key=${key} data-reversed=${isReversed}
        title=${t('Sort the files')} aria-label=${t('Sort the files')} aria-haspopup="menu" @click=${this.#openSort}>${sortIcon}</button>
      ${
        this.session.rpc.offers('LLMService.list_file_sets')
          ? html`<button class="icon-button" type="button" data-ac="picker-sets" title=${t('Sets of ticked files')} aria-label=${t('Sets of ticked files')}
              aria-haspopup="menu" @click=${this.#openSets}>${setsIcon}</button>`
          : nothing
      }
      <button class="icon-button" type="button" data-ac="picker-new" title=${refusalOf(this.#hindrances) || t('New file')} aria-label=${t('New file')}
        aria-disabled=${refusalOf(this.#hindrances) !== ''} @click=${() => this.#create('', 'file')}>${filePlus}</button>
    </div>`;
  }

  #menuName(): string {
    if (this.#menu?.kind === 'file') return t('Actions for %1', escapeInvisible(this.#menu.node.path));
    if (this.#menu?.kind === 'sets') return t('Sets of ticked files');
    return this.#menu?.kind === 'sort' ? t('Order of the files') : t('Branches');
  }

  #menuContent(menu: Menu): TemplateResult {
    if (menu.kind === 'file') return fileMenu(this.#actionsOf(menu.node), (id) => this.#act(id, menu.node));
    if (menu.kind === 'sort')
      return sortMenu(this.#sorting, {
        onKey: (key) => this.#sortBy(key),
        onExpand: (isExpanded) => {
          this.#popup.close();
          this.session.files.setAllExpanded(isExpanded);
        },
      });
    if (menu.kind === 'sets')
      return setsMenu(menu, this.session.selection.paths.length, {
        onSave: () => this.#saveSet(),
        onLoad: (set, adds) => this.#loadSet(set, adds),
        onUpdate: (set) =>
          void this.#changeSets(() => this.#sets.save(set.name, this.session.selection.paths)),
        onRename: (set) => this.#renameSet(set),
        onDelete: (set) =>
          this.#ask({
            question: t('Forget the set %1?', set.name),
            loss: t('The files and their ticks stay.'),
            button: t('Forget'),
            confirm: () => this.#sets.delete(set.name),
          }),
      });
    const { files } = this.session;
    const operation = files.operation
      ? t('A git %1 is in progress; finish or abort it first.', files.operation)
      : '';
    const refusal = refusalOf(this.#hindrances) || operation;
    return branchMenu(menu, {
      newRefusal: refusal,
      switchRefusal:
        refusal || (this.#hasChanges() ? t('Files have changes; commit or discard them first.') : ''),
      onNew: () => this.#newBranch(),
      onSwitch: (name) => void this.#switch(name),
    });
  }

  get #hindrances(): Hindrances {
    const { session } = this;
    return {
      isOffline: !session.rpc.connected,
      isStreaming: session.status === 'streaming',
      isCommitting: session.commit.isBusy,
      isReviewed: session.review.open !== null,
      hasGit: session.hasGit,
    };
  }

  /** git switches branches only while the tracked files are as they were committed. */
  #hasChanges(): boolean {
    const bits = FLAGS.modified | FLAGS.staged | FLAGS.deleted | FLAGS.conflicted;
    for (const { state } of this.session.files.tree.files.values()) if (state.flags & bits) return true;
    return false;
  }

  get #changes(): FileChanges {
    return new FileChanges(this.session);
  }

  #actionsOf(node: TreeNode): FileAction[] {
    const { files, rpc } = this.session;
    const isOffered = !rpc.connected || rpc.offers('LLMService.set_excluded_index_files');
    return actionsOf(node, this.#hindrances, isOffered ? files.excluded.of(node.path) : null);
  }

  #take({ kind, node, x, y }: FileRequest): void {
    this.#question.clear();
    if (kind === 'menu') {
      this.#menu = { kind: 'file', node };
      this.#popup.open(x, y, null);
      return;
    }
    const id = kind === 'tick' ? 'include' : kind;
    const action = this.#actionsOf(node).find((possible) => possible.id === id);
    if (action && !action.refusal && (kind === 'exclude' || kind === 'include' || kind === 'tick')) {
      void this.#exclude(kind, node);
      return;
    }
    if (action?.refusal) this.session.toasts.show('warning', action.refusal);
    else if (action) this.#act(action.id, node);
  }

  get #exclusions(): Exclusions {
    const { rpc, files, toasts } = this.session;
    this.#knownExclusions ??= new Exclusions(rpc, files.excluded, (message) => toasts.show('error', message));
    return this.#knownExclusions;
  }

  async #exclude(kind: 'exclude' | 'include' | 'tick', node: TreeNode): Promise<void> {
    if (kind === 'exclude') {
      await this.#exclusions.exclude(node);
      return;
    }
    const include = async (): Promise<string> => {
      if ((await this.#exclusions.include(node)) && kind === 'tick') this.session.files.toggle(node);
      return '';
    };
    const confirmation = this.#exclusions.confirmation(node);
    if (confirmation) this.#ask({ ...confirmation, confirm: include });
    else await include();
  }

  #act(id: ActionId, node: TreeNode): void {
    this.#popup.close(false);
    this.#question.clear();
    const changes = this.#changes;
    const folder = node.isDir ? node.path : (node.parent?.path ?? '');
    switch (id) {
      case 'open':
        openLocation(this, { path: node.path, line: 0, col: 0 });
        break;
      case 'stage':
        void this.#question.run(() => changes.stage(node));
        break;
      case 'unstage':
        void this.#question.run(() => changes.unstage(node));
        break;
      case 'discard':
        this.#ask({ ...discardConfirmation(node), confirm: () => changes.discard(node) });
        break;
      case 'delete':
        this.#ask({ ...deleteConfirmation(node, this.session.hasGit), confirm: () => changes.delete(node) });
        break;
      case 'rename':
        this.#question.open({
          ...{
            title: t('New path of %1', escapeInvisible(node.path)),
            value: node.path,
            button: t('Rename'),
          },
          submit: (path) => changes.rename(node, newPath('', path)),
        });
        break;
      case 'exclude':
      case 'include':
        this.#question.close();
        void this.#exclude(id, node);
        break;
      case 'new-file':
        this.#create(folder, 'file');
        break;
      case 'new-folder':
        this.#create(folder, 'folder');
        break;
    }
  }

  #create(folder: string, kind: 'file' | 'folder'): void {
    const refusal = refusalOf(this.#hindrances);
    if (refusal) {
      this.session.toasts.show('warning', refusal);
      return;
    }
    const changes = this.#changes;
    this.#question.open({
      ...{ title: nameQuestion(kind, escapeInvisible(folder)), value: '', button: t('Create') },
      submit: (name) => {
        const path = newPath(folder, name);
        return kind === 'file' ? changes.createFile(path) : changes.createFolder(path);
      },
    });
  }

  #newBranch(): void {
    this.#popup.close(false);
    this.#question.open({
      ...{
        title: t('Name of the new branch, which begins at the checked out commit'),
        value: '',
        button: t('Create'),
      },
      submit: (name) => this.#changes.createBranch(name.trim()),
    });
  }

  async #switch(name: string): Promise<void> {
    this.#popup.close();
    await this.#question.run(() => this.#changes.switchBranch(name));
  }

  readonly #openBranches = async (event: MouseEvent): Promise<void> => {
    const button = event.currentTarget as HTMLElement;
    this.#question.clear();
    this.#menu = { kind: 'branches', branches: null, error: '' };
    this.#openAt(button);
    try {
      const branches = await this.#changes.branches();
      if (this.#menu?.kind === 'branches') this.#menu = { kind: 'branches', branches, error: '' };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (this.#menu?.kind === 'branches') this.#menu = { kind: 'branches', branches: [], error: message };
    }
    this.requestUpdate();
  };

  get #sets(): FileSets {
    return new FileSets(this.session.rpc);
  }

  readonly #openSets = (event: MouseEvent): void => {
    const button = event.currentTarget as HTMLElement;
    this.#question.clear();
    this.#menu = { kind: 'sets', sets: null, error: '' };
    this.#openAt(button);
    void this.#readSets();
  };

  async #readSets(): Promise<void> {
    const { sets, error } = await this.#sets.read();
    if (this.#menu?.kind === 'sets') this.#menu = { kind: 'sets', sets, error };
    this.requestUpdate();
  }

  async #changeSets(change: () => Promise<string>): Promise<void> {
    const error = await change();
    if (error) this.session.toasts.show('error', error);
    await this.#readSets();
  }

  #saveSet(): void {
    const paths = this.session.selection.paths;
    this.#popup.close(false);
    this.#question.open({
      ...{
        title: t('Name of the set of %1', tn('%1 ticked file', '%1 ticked files', paths.length)),
        value: '',
        button: t('Save'),
      },
      submit: (name) => this.#sets.save(name, paths),
    });
  }

  #renameSet(set: FileSetChoice): void {
    this.#popup.close(false);
    this.#question.open({
      ...{ title: t('New name of the set %1', set.name), value: set.name, button: t('Rename') },
      submit: (name) => this.#sets.rename(set.name, name),
    });
  }

  /** Ticks the files of a set; those that are gone are named. */
  #loadSet({ name, paths }: FileSetChoice, adds: boolean): void {
    const { selection, files, toasts } = this.session;
    const isThere = (path: string): boolean =>
      files.tree.files.get(path)?.isSendable === true && files.excluded.of(path) === 'none';
    const there = paths.filter(isThere);
    const missing = paths.filter((path) => !isThere(path));
    if (adds) selection.mark(there, true);
    else selection.replace(there);
    this.#popup.close();
    if (missing.length) toasts.show('warning', missingSentence(name, missing));
  }

  readonly #openSort = (event: MouseEvent): void => {
    this.#question.clear();
    this.#menu = { kind: 'sort' };
    this.#openAt(event.currentTarget as HTMLElement);
  };

  #openAt(button: HTMLElement): void {
    const { left, bottom } = button.getBoundingClientRect();
    this.#popup.open(left, bottom + 2, button);
  }

  /** The same key again reverses the order. */
  #sortBy(key: SortKey): void {
    const isReversed = key === this.#sorting.key && !this.#sorting.isReversed;
    this.#sorting = { key, isReversed };
    try {
      localStore()?.setItem(SORTING, JSON.stringify(this.#sorting));
    } catch {
      // The storage is full or forbidden: it holds for this page.
    }
    this.#sort();
    this.requestUpdate();
  }

  #sort(): void {
    const { files, breakdown } = this.session;
    this.#sortedWith = breakdown.breakdown;
    files.setOrder(orderOf(this.#sorting, breakdown.breakdown));
  }

  #ask(asked: Asked): void {
    this.#popup.close(false);
    this.#question.ask(asked);
  }
}

/** @param folder - '' for the repository's top folder */
function nameQuestion(kind: 'file' | 'folder', folder: string): string {
  if (kind === 'file')
    return folder ? t('Name of the new file in %1', folder) : t('Name of the new file at the top');
  return folder ? t('Name of the new folder in %1', folder) : t('Name of the new folder at the top');
}
