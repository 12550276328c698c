import { cachedPeerReturns } from "../../analytics/drivers/relative-strength.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import { type EngineOutcome, outcomeOf, type RowInputs } from "./engine-row.ts";

/** A batch of symbols. Their peers are listed once, because a sector has hundreds, which all its members share. */
export interface OutcomeBatch {
  /** Inputs without peers. */
  readonly subjects: readonly RowInputs[];
  readonly series: readonly Bars[];
  /** Places in `series` of the peers of each subject. */
  readonly peers: readonly Uint32Array[];
}

export function batchOf(subjects: readonly RowInputs[]): OutcomeBatch {
  const places = new Map<Bars, number>();
  const placeOf = (bars: Bars) => {
    const known = places.get(bars);
    if (known === undefined) places.set(bars, places.size);
    return known ?? places.size - 1;
  };
  // not Uint32Array.from, which takes several times as long
  const peers = subjects.map(({ input }) => new Uint32Array(input.peers.map(placeOf)));
  return {
    subjects: subjects.map((one) => ({ ...one, input: { ...one.input, peers: [] } })),
    series: [...places.keys()],
    peers,
  };
}

/** Computes the outcomes of a batch of symbols, in the order of the subjects. */
export const outcomesTask: ComputeTask<OutcomeBatch, readonly EngineOutcome[]> = {
  name: "outcomes",
  duration: "long",
  async run({ subjects, series, peers }, { signal }) {
    const shared = { digest: digestOnce(), peerReturn: cachedPeerReturns() };
    const outcomes: EngineOutcome[] = [];
    for (const [i, subject] of subjects.entries()) {
      if (isBusy()) await yieldToEventLoop();
      signal.throwIfAborted();
      const own: Bars[] = [];
      for (const place of peers[i]!) own.push(series[place]!);
      outcomes.push(outcomeOf({ ...subject, input: { ...subject.input, peers: own } }, shared));
    }
    return outcomes;
  },
};
