import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditsStore } from '../../src/model/edits-store.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const UNDO = 'LLMService.undo_edits';
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
  it('names the answer and the blocks that are meant', async () => {
    void edits.undo('one', [2]);
    expect(rpc.last(UNDO).args).toEqual(['one', [2], []]);
    await rpc.last(UNDO).answer({ status: 'undone', files_restored: ['a'] });
    expect(tell).toHaveBeenCalledWith('success', 'Taken back in 1 file.');
  });

  it('is offered where the server can', () => {
    edits.adopt({});
    expect(edits.isUndoOffered).toBe(true);
    rpc.lacking.add(UNDO);
    edits.adopt({});
    expect(edits.isUndoOffered).toBe(false);
  });

  it('says why it was refused', async () => {
    void edits.undo('one', []);
    await rpc.last(UNDO).answer({ status: 'refused', files_restored: [], reason: '`a` was changed.' });
    expect(tell).toHaveBeenCalledWith('warning', '`a` was changed.');
    expect(edits.question).toBe(null);
  });

  it('offers the part that can be taken back', async () => {
    void edits.undo('one', []);
    const reason = 'Nothing was undone.';
    await rpc.last(UNDO).answer({ status: 'refused', files_restored: [], reason, indices: [1, 3] });
    expect(edits.question).toEqual({ requestId: 'one', indices: [1, 3], files: [], reason });
    expect(tell).not.toHaveBeenCalled();
    void edits.confirm();
    expect(rpc.last(UNDO).args).toEqual(['one', [1, 3], []]);
    await rpc.last(UNDO).answer({ status: 'undone', files_restored: [] });
    expect(edits.question).toBe(null);
  });

  it('asks for files that run by themselves, and goes on with the same blocks', async () => {
    void edits.undo('one', [1]);
    const asked = [{ file: '.envrc', reason: 'A shell runs it' }];
    await rpc.last(UNDO).answer({ status: 'confirm', files_restored: [], protected: asked });
    expect(edits.question?.files).toEqual(asked);
    void edits.confirm();
    expect(rpc.last(UNDO).args).toEqual(['one', [1], ['.envrc']]);
    edits.keep();
    expect(edits.question).toBe(null);
  });
});

describe('how edits stand', () => {
  const LOOK = 'LLMService.get_edit_standings';
  const looks = () => rpc.calls.filter(({ method }) => method === LOOK);
  const told = (standing: string) => [{ request_id: 'one', edits: [{ index: 0, standing, can_undo: true }] }];

  it('is told by the server, once for all that asked meanwhile', async () => {
    void edits.refreshStandings(['one']);
    void edits.refreshStandings(['one', 'two']);
    void edits.refreshStandings(['one', 'two', 'three']);
    expect(looks().map(({ args }) => args)).toEqual([[['one']]]);
    await rpc.last(LOOK).answer([]);
    expect(rpc.last(LOOK).args).toEqual([['one', 'two', 'three']]);
    await rpc.last(LOOK).answer(told('changed'));
    expect(edits.standingsOf('one').get(0)).toBe('changed');
    expect(edits.standingsOf('two').size).toBe(0);
  });

  it('is news only where it differs', async () => {
    const changed = vi.fn();
    void edits.refreshStandings(['one']);
    await rpc.last(LOOK).answer(told('undone'));
    edits.subscribe(changed);
    const known = edits.standingsOf('one');
    void edits.refreshStandings(['one']);
    await rpc.last(LOOK).answer(told('undone'));
    expect(changed).not.toHaveBeenCalled();
    expect(edits.standingsOf('one')).toBe(known);
  });

  it('is asked again after a failure, and of nobody who lacks it', async () => {
    void edits.refreshStandings(['one']);
    await rpc.last(LOOK).fail('internal');
    void edits.refreshStandings([]);
    void edits.refreshStandings(['one']);
    expect(looks().length).toBe(2);
    rpc.lacking.add(LOOK);
    void edits.refreshStandings(['one']);
    expect(looks().length).toBe(2);
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
