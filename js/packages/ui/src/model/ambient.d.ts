/** All that the model needs of its surroundings besides the language: there is no DOM here. */

declare function setTimeout(run: () => void, delay_ms?: number): number;
declare function clearTimeout(timer: number | undefined): void;
