import type { Bars } from "../../domain/market/bars.ts";
import type { RowInputs } from "./engine-row.ts";

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

type Input = RowInputs["input"];
type Universe = NonNullable<Input["universe"]>;

/** Subjects packed for a thread: one block of numbers that contains each series once, and references into it. */
export interface Batch {
  readonly columns: Float64Array<ArrayBuffer>;
  readonly series: readonly (Omit<Bars, (typeof COLUMNS)[number]> & {
    readonly offset: number;
    readonly length: number;
  })[];
  readonly universes: readonly Omit<Universe, "own">[];
  readonly subjects: readonly PackedSubject[];
}

interface PackedSubject extends Omit<RowInputs, "input"> {
  readonly facts: Omit<Input, "bars" | "benchmark" | "peers" | "universe">;
  readonly bars: number;
  readonly benchmark: number | null;
  readonly peers: readonly number[];
  readonly universe: { readonly index: number; readonly own: number | null } | null;
}

/** Packs subjects into a transferable block; a shared series is copied once. */
export function pack(subjects: readonly RowInputs[]): Batch {
  const indices = new Map<Bars, number>();
  const universes = new Map<Universe["returns"], { readonly index: number; readonly hash: string }>();
  const placeOf = (bars: Bars): number => {
    const index = indices.get(bars) ?? indices.size;
    indices.set(bars, index);
    return index;
  };
  const packed = subjects.map(({ input, ...subject }): PackedSubject => {
    const { bars, benchmark, peers, universe, ...facts } = input;
    if (universe !== null && !universes.has(universe.returns))
      universes.set(universe.returns, { index: universes.size, hash: universe.hash });
    return {
      ...subject,
      facts,
      bars: placeOf(bars),
      benchmark: benchmark && placeOf(benchmark),
      peers: peers.map(placeOf),
      universe: universe && { index: universes.get(universe.returns)!.index, own: universe.own },
    };
  });
  const total = [...indices.keys()].reduce((sum, { time }) => sum + time.length * COLUMNS.length, 0);
  const columns = new Float64Array(total);
  let offset = 0;
  const series = [...indices.keys()].map(({ timeframe, adjustment, zone, ...bars }) => {
    const at = { offset, length: bars.time.length, timeframe, adjustment, zone };
    for (const name of COLUMNS) {
      columns.set(bars[name], offset);
      offset += at.length;
    }
    return at;
  });
  return {
    columns,
    series,
    universes: [...universes].map(([returns, { hash }]) => ({ returns, hash })),
    subjects: packed,
  };
}

/** Decodes the output of `pack`. The series of the subjects are views of the block and are shared. */
export function unpack({ columns, series, universes, subjects }: Batch): readonly RowInputs[] {
  const bars = series.map(({ offset, length, ...kind }): Bars => {
    const column = (i: number) => columns.subarray(offset + i * length, offset + (i + 1) * length);
    return { ...kind, ...Object.fromEntries(COLUMNS.map((name, i) => [name, column(i)])) } as Bars;
  });
  return subjects.map(({ facts, bars: own, benchmark, peers, universe, ...subject }) => ({
    ...subject,
    input: {
      ...facts,
      bars: bars[own]!,
      benchmark: benchmark === null ? null : bars[benchmark]!,
      peers: peers.map((index) => bars[index]!),
      universe: universe && { ...universes[universe.index]!, own: universe.own },
    },
  }));
}
