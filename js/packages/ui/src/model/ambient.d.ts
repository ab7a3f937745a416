/** Ambient globals that the stores use besides the language itself; they are compiled without the DOM types. */

declare function setTimeout(run: () => void, delay_ms?: number): number;
declare function clearTimeout(timer: number | undefined): void;
