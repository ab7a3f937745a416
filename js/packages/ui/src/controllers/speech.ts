/** Speech input: the browser's recognition, started again after each pause until it is stopped. */

import { t } from '@jupyter-ac/messages';

interface RecognitionResult {
  readonly isFinal: boolean;
  readonly 0: { readonly transcript: string };
}

interface RecognitionEvent extends Event {
  readonly resultIndex: number;
  readonly results: ArrayLike<RecognitionResult>;
}

interface RecognitionError extends Event {
  readonly error: string;
}

/** The part of the Web Speech API that is used; TypeScript's library doesn't describe it. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  abort(): void;
}

export interface SpeechPorts {
  /** Called with each final piece. */
  heard(text: string): void;
  /** Listening has begun or ended; `problem` says why it ended, '' if it was wanted. */
  changed(isListening: boolean, problem: string): void;
}

/** A recognition ends after each pause of the speaker. */
const RESTART_MS = 150;
/** These only say that nobody has spoken. */
const HARMLESS: ReadonlySet<string> = new Set(['no-speech', 'aborted']);
const PROBLEMS: Readonly<Record<string, string>> = {
  'not-allowed': t('The browser may not use the microphone here.'),
  'service-not-allowed': t('The browser may not recognise speech here.'),
  'audio-capture': t('There is no microphone.'),
  network: t('The browser’s speech service can not be reached.'),
  'language-not-supported': t('The browser does not recognise this language.'),
};

type Constructor = new () => Recognition;

function constructorOf(): Constructor | undefined {
  const scope = window as { SpeechRecognition?: Constructor; webkitSpeechRecognition?: Constructor };
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
}

/** Whether this browser recognises speech. */
export function isSpeechOffered(): boolean {
  return constructorOf() !== undefined;
}

export class SpeechInput {
  #recognition: Recognition | null = null;
  #timer: number | undefined;

  constructor(private readonly ports: SpeechPorts) {}

  get isListening(): boolean {
    return this.#recognition !== null;
  }

  start(): void {
    const Recogniser = constructorOf();
    if (!Recogniser || this.#recognition) return;
    const recognition = new Recogniser();
    recognition.lang = navigator.language;
    recognition.continuous = false;
    recognition.interimResults = false;
    recognition.addEventListener('result', (event) => this.#onResult(event as RecognitionEvent));
    recognition.addEventListener('error', (event) => this.#onError((event as RecognitionError).error));
    recognition.addEventListener('end', () => this.#onEnd(recognition));
    this.#recognition = recognition;
    this.#begin(recognition);
  }

  stop(problem = ''): void {
    const recognition = this.#recognition;
    if (!recognition) return;
    this.#recognition = null;
    window.clearTimeout(this.#timer);
    recognition.abort();
    this.ports.changed(false, problem);
  }

  #begin(recognition: Recognition): void {
    try {
      recognition.start();
      this.ports.changed(true, '');
    } catch (error) {
      this.stop(error instanceof Error ? error.message : String(error));
    }
  }

  #onResult({ results, resultIndex }: RecognitionEvent): void {
    if (!this.#recognition) return;
    const final = Array.from(results)
      .slice(resultIndex)
      .filter(({ isFinal }) => isFinal);
    const text = final.map((result) => result[0].transcript.trim()).join(' ');
    if (text) this.ports.heard(text);
  }

  #onError(error: string): void {
    if (!HARMLESS.has(error)) this.stop(PROBLEMS[error] ?? t('Speech input ended: %1.', error));
  }

  #onEnd(recognition: Recognition): void {
    if (this.#recognition !== recognition) return;
    this.#timer = window.setTimeout(() => {
      if (this.#recognition === recognition) this.#begin(recognition);
    }, RESTART_MS);
  }
}
