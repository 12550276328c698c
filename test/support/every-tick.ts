import type { Consensus, ConsensusInput } from "../../src/analytics/score/consensus.ts";
import { gradeRank } from "../../src/analytics/score/tape-columns.ts";
import type { Bars } from "../../src/domain/market/bars.ts";

/** The input with its last bar closed at another price; high and low are extended to contain it. */
export function closedAt(input: ConsensusInput, price: number): ConsensusInput {
  const { bars } = input;
  const change = (column: Float64Array, value: (old: number) => number) =>
    column.map((old, i) => (i === column.length - 1 ? value(old) : old));
  const moved: Bars = {
    ...bars,
    close: change(bars.close, () => price),
    high: change(bars.high, (old) => Math.max(old, price)),
    low: change(bars.low, (old) => Math.min(old, price)),
  };
  return { ...input, bars: moved };
}

type Verdict = Pick<Consensus, "direction" | "grade">;

/** Nearest closes with another direction, a better grade and a worse grade; null if there is none. */
interface Nearest {
  readonly direction: number | null;
  readonly better: number | null;
  readonly worse: number | null;
}

/**
 * The nearest ticks in a range that change the result, found by trying all ticks outwards from `close`, the upper one
 * first.
 */
export function everyTick(
  known: Verdict,
  close: number,
  { low, high, tick }: { readonly low: number; readonly high: number; readonly tick: number },
  verdictAt: (close: number) => Verdict,
): Nearest {
  const places = Math.round(1 / tick);
  const rank = gradeRank(known.grade);
  const found: { -readonly [K in keyof Nearest]: Nearest[K] } = {
    direction: null,
    better: null,
    worse: null,
  };
  const [first, last] = [Math.round(low * places), Math.round(high * places)];
  const from =
    Math.abs(close * places - Math.round(close * places)) < 1e-6
      ? Math.round(close * places)
      : close * places;
  let [up, down] = [Math.floor(from) + 1, Math.ceil(from) - 1];
  while (up <= last || down >= first) {
    const place = up <= last && (down < first || up - from <= from - down) ? up++ : down--;
    const price = place / places;
    const { direction, grade } = verdictAt(price);
    if (direction !== known.direction) found.direction ??= price;
    if (gradeRank(grade) > rank) found.better ??= price;
    if (gradeRank(grade) < rank) found.worse ??= price;
    if (found.direction !== null && found.better !== null && found.worse !== null) break;
  }
  return found;
}
