import { describe, expect, it } from "vitest";
import { type Consensus, consensus } from "../../../src/analytics/score/consensus.ts";
import type { Compute } from "../../../src/domain/compute-port.ts";
import { createEngine } from "../../../src/features/nightly/engine.ts";
import { type OutcomeBatch, outcomesTask } from "../../../src/features/nightly/outcomes-task.ts";
import { pictureOf, withFacts } from "../../../src/features/signal/picture.ts";
import { inputsSince } from "../../../src/features/signal/signal-inputs.ts";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { testEngine } from "../../support/engine.ts";
import { climbingBars, YESTERDAY } from "../../support/market.ts";
import { movingClock } from "../../support/store.ts";

const DAY = 86_400_000;
const signal = new AbortController().signal;
const NAMES = [
  ...["AAPL", "MSFT", "NVDA", "AVGO", "GOOGL", "META", "NFLX", "DIS", "AMZN", "TSLA", "HD", "MCD"],
  ...["JPM", "BAC", "WFC", "XOM", "CVX", "JNJ", "LLY", "PG", "KO", "WMT"],
];
/** Names with different trends; the last name ends a day before the others. */
const bars = Object.fromEntries([
  ...NAMES.map((name, i) => [
    name,
    climbingBars({
      step: 0.01 * (i + 1),
      first: 100 + i,
      ...(name === "WMT" && { end: YESTERDAY - DAY }),
    }),
  ]),
  ["SPY", climbingBars({ step: 0.5 })],
]);

const market = { mode: "live", id: "test" } as const;

/** A live market of these names, whose bars are read one symbol per call; `computed` has the consensus of each row. */
async function liveMarket() {
  const clock = movingClock();
  const { ports, db, repository, jobs } = await testEngine({ bars, clock });
  const computed = new Map<string, Consensus>();
  const compute: Compute = {
    ...ports.compute,
    run(task, input, options) {
      if (task.name === outcomesTask.name) {
        const { subjects, series, peers } = input as OutcomeBatch;
        for (const [i, { instrument, input: own }] of subjects.entries())
          computed.set(
            instrument.symbol,
            consensus({ ...own, peers: [...peers[i]!].map((place) => series[place]!) }),
          );
      }
      return ports.compute.run(task, input, options);
    },
  };
  const live = {
    ...ports,
    market,
    symbols: { ...ports.symbols, universe: () => [] },
    engineRuns: engineRuns({ db, market: ports.market.id, clock }),
  };
  const engine = createEngine({
    ...live,
    compute,
    repository,
    jobs,
    withFacts: (instrument, gathered, stop) => withFacts(instrument, gathered, stop, live),
  });
  return { live, clock, computed, engine };
}

const saidBy = ({ drivers, direction, score, grade, tier }: Consensus) => ({
  direction,
  score,
  grade,
  tier,
  drivers: drivers.map(({ id, value, reason }) => [id, value, reason]),
});
const rankOf = ({ consensus }: { readonly consensus: Consensus }) =>
  consensus.drivers.find(({ id }) => id === "r_rank")!;

describe("with live prices", () => {
  it("every symbol of a run has the same verdict, score, grade and drivers as its signal", async () => {
    const { live, engine, computed } = await liveMarket();
    const { rows } = await engine.run({ universe: { name: "sp500" } });
    expect(rows.map(({ symbol }) => symbol)).toEqual([...NAMES].sort());
    for (const row of rows) {
      const picture = await pictureOf({ symbol: row.symbol, timeframe: "1d", signal }, live);
      expect(saidBy(picture.consensus)).toEqual(saidBy(computed.get(row.symbol)!));
      const { direction, score, grade, tier } = picture.consensus;
      expect(row).toMatchObject({ direction, score, grade, tier, inputs_hash: picture.inputsHash });
    }
  });

  it("r_rank is the place among the ranks of the newest run, also for a symbol outside it", async () => {
    const { live, engine } = await liveMarket();
    const rank = async (symbol: string, as_of?: string) =>
      rankOf(await pictureOf({ symbol, timeframe: "1d", as_of, signal }, live));
    expect(await rank("AAPL")).toMatchObject({
      value: null,
      reason: "No universe to rank in: with live prices the nightly run ranks one",
    });
    await engine.run({ universe: { name: "sp500" } });
    // by hand: 21 names end on the day; AAPL rises least and is ranked (0 + 0.5) / 21
    expect((await rank("AAPL")).value).toBeCloseTo(2 * (0.5 / 21) - 1, 12);
    expect((await rank("AAPL")).inputs).toMatchObject({ members: 21 });
    expect((await rank("SPY")).value, "above all 21 others, of which it is not one").toBe(1);
    expect((await rank("WMT")).value, "its last bar is older than the run's ranks").toBeNull();
    expect((await rank("AAPL", "2026-01-13")).value, "nothing later than the requested day").toBeNull();
  });

  it("a later day has the ranks of the newest run of the week before, an older one has none", async () => {
    const { live, engine, clock } = await liveMarket();
    await engine.run({ universe: { name: "sp500" } });
    expect(await live.engineRuns.ranks("stocks", YESTERDAY + 7 * DAY)).toMatchObject({ time: YESTERDAY });
    expect(await live.engineRuns.ranks("stocks", YESTERDAY + 8 * DAY)).toBeNull();
    expect(await live.engineRuns.ranks("stocks", YESTERDAY - DAY)).toBeNull();
    expect(await live.engineRuns.ranks("crypto", YESTERDAY)).toBeNull();
    clock.pass(-DAY);
    expect(await live.engineRuns.ranks("stocks", YESTERDAY), "a run from the future").toBeNull();
  });

  it("a signal names the inputs that arrived after the first answer on its bar", async () => {
    const { live, engine, clock } = await liveMarket();
    const read = async ({ past } = { past: false }) => {
      const picture = await pictureOf({ symbol: "AAPL", timeframe: "1d", signal }, live);
      return inputsSince(picture, live.signalLog, { past });
    };
    const atPastTime = await read({ past: true });
    expect(atPastTime.notes).toEqual([]);
    expect(atPastTime.inputs.map(({ used_since }) => used_since)).toEqual([null, null, null]);
    clock.pass(60_000);
    const first = await read(); // the first one, because that of a past time is not recorded
    expect(first.notes).toEqual([]);
    expect(first.inputs.map(({ input }) => input)).toEqual(["bars", "benchmark", "peers"]);
    clock.pass(60_000);
    expect(await read()).toEqual(first);
    await engine.run({ universe: { name: "sp500" } });
    const { inputs, notes } = await read();
    expect(inputs.at(-1)).toEqual({
      input: "ranks",
      known_at: "2026-01-14T21:00:00.000Z",
      used_since: "2026-01-15T15:02:00.000Z",
    });
    expect(notes).toEqual([
      expect.stringMatching(
        /^The first answer on this bar, at 2026-01-15T15:01:00\.000Z, was (LONG|SHORT|WAIT) \(score [\d.]+, grade \S+\)\. Since then: ranks arrived or changed at 2026-01-15T15:02:00\.000Z\.$/,
      ),
    ]);
  });
});
