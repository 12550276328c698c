/** Seconds of processor of the first call and the median of the calls after it, and what the last one gave. */
export interface Timed<T> {
  readonly cold: number;
  readonly warm: number;
  readonly result: T;
}

/** Times work by what it takes of the processor, which other work on the machine changes less than the clock. */
export async function timed<T>(rounds: number, work: () => T | Promise<T>): Promise<Timed<T>> {
  const times: number[] = [];
  let result: T;
  do {
    const before = process.cpuUsage();
    result = await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e6);
  } while (times.length <= rounds);
  const [cold, ...warm] = times;
  warm.sort((a, b) => a - b);
  return { cold: cold!, warm: warm[Math.floor(warm.length / 2)] ?? cold!, result };
}
