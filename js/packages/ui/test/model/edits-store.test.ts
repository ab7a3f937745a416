import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditsStore } from '../../src/model/edits-store.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const UNDO = 'LLMService.undo_last_edits';
const REVIEW = 'LLMService.set_edits_review';

let rpc: FakeRpc;
let edits: EditsStore;
const tell = vi.fn();

beforeEach(async () => {
  tell.mockReset();
  rpc = new FakeRpc();
  edits = new EditsStore(rpc, tell);
  await rpc.become({ state: 'open', first: true });
});

afterEach(() => edits.dispose());

describe('deciding', () => {
  it('is one at a time, and says why it failed', async () => {
    const done = edits.accept('r', [1]);
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [1]]);
    expect(edits.isBusy).toBe(true);
    await rpc.last('LLMService.apply_edits').answer({ error: 'Busy.' });
    await done;
    expect(edits.isBusy).toBe(false);
    expect(tell).toHaveBeenCalledWith('error', 'Busy.');
  });

  it('rejects all that wait without naming them', async () => {
    void edits.reject('r', []);
    expect(rpc.last('LLMService.reject_edits').args).toEqual(['r', []]);
  });
});

describe('undo', () => {
  it('names the turn that is meant', () => {
    edits.adopt({ undo: { request_id: 'one', files: ['a'] } });
    void edits.undo();
    expect(rpc.last(UNDO).args).toEqual(['one']);
  });

  it('is offered for the last turn that changed files', async () => {
    edits.adopt({ undo: { request_id: 'one', files: ['a'] } });
    expect(edits.undoable).toBe('one');
    edits.settled('two', { edit_results: [], can_undo: false });
    expect(edits.undoable).toBe('one');
    edits.settled('three', { edit_results: [{}], can_undo: true });
    expect(edits.undoable).toBe('three');
    await rpc.emit('editsChanged', 'three', { can_undo: false });
    expect(edits.undoable).toBe('');
    edits.adopt({ undo: null });
    expect(edits.undoable).toBe('');
  });

  it('says how many files it has restored', async () => {
    edits.adopt({ undo: { request_id: 'one', files: ['a'] } });
    void edits.undo();
    await rpc.last(UNDO).answer({ status: 'undone', files_restored: ['a'] });
    expect(tell).toHaveBeenCalledWith('success', '1 file restored.');
    expect(edits.undoable).toBe('');
  });

  it('says why it was refused, and stays', async () => {
    edits.adopt({ undo: { request_id: 'one', files: ['a'] } });
    void edits.undo();
    await rpc.last(UNDO).answer({ status: 'refused', files_restored: [], reason: '`a` was changed.' });
    expect(tell).toHaveBeenCalledWith('warning', '`a` was changed.');
    expect(edits.undoable).toBe('one');
  });
});

describe('review before apply', () => {
  it('follows the server, whoever switched it', async () => {
    edits.adopt({ edits_review: true });
    expect(edits.isReviewOn).toBe(true);
    await rpc.emit('settingsChanged', { edits_review: false });
    expect(edits.isReviewOn).toBe(false);
    await rpc.emit('settingsChanged', { message: 'of an older server' });
    expect(edits.isReviewOn).toBe(false);
  });

  it('goes back when the server refuses', async () => {
    void edits.setReview(true);
    expect(edits.isReviewOn).toBe(true);
    await rpc.last(REVIEW).answer({ error: 'Locked.' });
    await settle();
    expect(edits.isReviewOn).toBe(false);
    expect(tell).toHaveBeenCalledWith('error', 'Locked.');
  });

  it('is not offered by a server that lacks it', () => {
    edits.adopt({ edits_review: false });
    expect(edits.isReviewOffered).toBe(true);
    rpc.lacking.add(REVIEW);
    edits.adopt({});
    expect(edits.isReviewOffered).toBe(false);
  });
});
