import { createHash } from "node:crypto";
import type { ConsensusInput } from "../../analytics/score/consensus.ts";
import type { Bars } from "../../domain/market/bars.ts";

/** Returns a hash of the numbers in one series. */
export type Digest = (bars: Bars) => string;

/** Returns a hash of every number that a consensus reads: the same hash and model version give the same signal. */
export function inputsHash(
  { bars, benchmark, peers, universe, missingReasons: _, ...facts }: ConsensusInput,
  digest: Digest = digestOf,
): string {
  const hash = createHash("sha256").update(
    JSON.stringify({
      ...facts,
      timeframe: bars.timeframe,
      zone: bars.zone,
      bars: digest(bars),
      benchmark: benchmark && digest(benchmark),
      peers: peers.map(digest),
      universe: universe !== null,
    }),
  );
  if (universe !== null)
    hash.update(bytesOf(Float64Array.from(universe.returns))).update(String(universe.own));
  return hash.digest("hex").slice(0, 32);
}

export const hashOfDigests = (digests: readonly string[]): string =>
  createHash("sha256").update(digests.join("\n")).digest("hex").slice(0, 32);

/** Creates a digest function that hashes each series object only once. */
export function digestOnce(): Digest {
  const known = new WeakMap<Bars, string>();
  return (bars) => {
    const before = known.get(bars);
    if (before !== undefined) return before;
    const computed = digestOf(bars);
    known.set(bars, computed);
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
