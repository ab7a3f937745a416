/** What a piece of work costs: other programs of the machine take none of this time, but make the clock's longer. */

interface Usage {
  readonly user: number;
  readonly system: number;
}

declare const process: { cpuUsage(since?: Usage): Usage };

/** The processor's time in milliseconds that work takes. */
export function processorTime(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
