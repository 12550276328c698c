/** CPU seconds of the first call, the median of later calls, and the last result. */
export interface Timed<T> {
  readonly cold: number;
  readonly warm: number;
  readonly result: T;
}

/** Times work by CPU time, which other load affects less than elapsed time. */
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
