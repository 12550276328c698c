import { createHash } from "node:crypto";
import type { ConsensusInput } from "../../analytics/score/consensus.ts";
import type { Bars } from "../../domain/market/bars.ts";

/** Hashes and bytes of numbers that several inputs share. */
export interface Digest {
  /** Returns a hash of the numbers in one series. */
  series(bars: Bars): string;
  /** Returns numbers as the bytes of 64-bit floats. */
  bytes(numbers: readonly number[]): Uint8Array;
}

/** Returns a hash of every number that a consensus reads: the same hash and model version give the same signal. */
export function inputsHash(
  { bars, earlier, benchmark, peers, universe, missingReasons: _, ...facts }: ConsensusInput,
  digest: Digest = EACH_TIME,
): string {
  const start = JSON.stringify({
    ...facts,
    timeframe: bars.timeframe,
    zone: bars.zone,
    no_splits: bars.noSplits,
    bars: digest.series(bars),
    ...(earlier && { earlier: digest.series(earlier) }),
    benchmark: benchmark && digest.series(benchmark),
  });
  // hundreds of digests, in which JSON escapes nothing
  const ofPeers = peers.map((peer) => `"${digest.series(peer)}"`).join();
  const hash = createHash("sha256").update(
    `${start.slice(0, -1)},"peers":[${ofPeers}],"universe":${universe !== null}}`,
  );
  if (universe !== null) hash.update(digest.bytes(universe.returns)).update(String(universe.own));
  return hash.digest("hex").slice(0, 32);
}

export const hashOfDigests = (digests: readonly string[]): string =>
  createHash("sha256").update(digests.join("\n")).digest("hex").slice(0, 32);

/** Creates a digest that hashes or converts each object only once. */
export function digestOnce(): Digest {
  return { series: once(digestOf), bytes: once(floatsOf) };
}

function once<K extends object, V extends object | string>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}

// all columns have the same length, so their concatenation is unambiguous
function digestOf({ time, open, high, low, close, volume }: Bars): string {
  const hash = createHash("sha256");
  for (const column of [time, open, high, low, close, volume]) hash.update(bytesOf(column));
  return hash.digest("base64");
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const floatsOf = (numbers: readonly number[]): Uint8Array => bytesOf(new Float64Array(numbers));

const EACH_TIME: Digest = { series: digestOf, bytes: floatsOf };
