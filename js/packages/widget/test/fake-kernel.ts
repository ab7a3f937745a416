import { Endpoint } from '@jupyter-ac/link/endpoint';
import { decodeParts, encodeParts, type FramePart } from '@jupyter-ac/link/resend-window';
import type { Model } from '../src/anywidget.ts';

type Message = Record<string, unknown>;

/** A model whose kernel is played by the test. */
export class FakeModel implements Model {
  readonly sent: Message[] = [];
  readonly listeners = new Map<string, Set<(content: unknown) => void>>();
  widget_manager: unknown;
  send(content: unknown) {
    this.sent.push(JSON.parse(JSON.stringify(content)));
  }
  on(event: string, listener: (content: unknown) => void) {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }
  off(event: string, listener: (content: unknown) => void) {
    this.listeners.get(event)?.delete(listener);
  }
  say(content: unknown) {
    this.fire('msg:custom', JSON.parse(JSON.stringify(content)));
  }
  fire(event: string, content?: unknown) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(content);
  }
  get count(): number {
    return [...this.listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }
}

/** The relay's end in the kernel, with the loss that a test wants. */
export class FakeRelay {
  readonly end = new Endpoint();
  readonly got: string[] = [];
  readonly heard: Message[] = [];
  link = '';
  #read = 0;

  constructor(
    private readonly model: FakeModel,
    private readonly now: () => number = () => 0,
  ) {}

  /** Takes in what the page has sent since the last time; answers an opening. */
  listen(): void {
    const fresh = this.model.sent.slice(this.#read);
    this.#read = this.model.sent.length;
    for (const message of fresh) {
      this.heard.push(message);
      if (message.type === 'relay.open') {
        this.link = String(message.link);
        this.say({ seq: 1, ack: 0, frames: [] });
      }
      if (message.type === 'relay') this.#take(message);
    }
  }

  say(message: Message): void {
    this.model.say({ type: 'relay', link: this.link, ...message });
  }

  /** Sends what is due; `lose` keeps it from arriving. */
  poll(lose = false): void {
    const envelope = this.end.poll(this.now());
    if (!envelope || lose) return;
    const { run, ack, ping, resend } = envelope;
    this.say({ seq: run.first, ack, frames: encodeParts(run.parts), ping, resend });
  }

  #take({ seq, ack, frames, ping, resend }: Message): void {
    const parts = decodeParts(frames as unknown[]) as FramePart[];
    const run = { first: Number(seq), parts };
    this.got.push(
      ...this.end.receive(
        { run, ack: Number(ack), ping: ping === true, resend: resend === true },
        this.now(),
      ),
    );
  }
}
