import { atr } from "../../../src/analytics/indicators/atr.ts";
import { recordFold } from "../../../src/analytics/track/record.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { ROverBase, ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { type Gathered, gather } from "../../../src/features/signal/gather.ts";
import { digestOnce } from "../../../src/features/signal/inputs-hash.ts";
import { replayedSignal } from "../../../src/features/signal/logged.ts";
import { withFacts } from "../../../src/features/signal/picture.ts";
import { outcomesOf } from "../../../src/features/track-record/outcomes.ts";
import { DAY_MS, dayAt } from "../../../src/providers/sample/time.ts";
import {
  COMPUTED_AT,
  FACT_STEP_DAYS,
  type FactsOverBase,
  FIRST_DECISION,
} from "../../providers/sample/replayed-signals.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const HORIZON = 20;

/**
 * Computes R over base of the same closes of the sample market twice, every 15th close since 2022: of signals from prices
 * and prints, as a replay makes them, and of signals that also read news, options and odds, as nightly runs do.
 */
export async function comparedFacts(): Promise<FactsOverBase> {
  const { dir, remove } = suiteDir();
  const settings = { DATA_DIR: dir, MARKET_DATA: "sample", LOG_LEVEL: "silent" };
  const app = await createApp(readConfig(settings), { clock: { now: () => new Date(COMPUTED_AT) } });
  const { ports } = app;
  const { signal } = new AbortController();
  const [without, together] = [recordFold(), recordFold()];
  try {
    for (let at = FIRST_DECISION; at < COMPUTED_AT - HORIZON * DAY_MS; at += FACT_STEP_DAYS * DAY_MS) {
      console.error(`with facts: ${new Date(at).toISOString().slice(0, 10)}`);
      for (const instrument of ports.symbols.members()) {
        const gathered = await gather(instrument, { timeframe: "1d", asOf: at, signal }, ports);
        without.add(await scoredAt(instrument, gathered, at));
        together.add(await scoredAt(instrument, await withFacts(instrument, gathered, signal, ports), at));
      }
    }
  } finally {
    await app.close();
    remove();
  }
  return { without: totals(without), with: totals(together) };

  /** The outcome of a signal after 20 bars; none without levels. */
  async function scoredAt(instrument: Instrument, gathered: Gathered, at: number): Promise<ScoredSignal[]> {
    const logged = replayedSignal(instrument, gathered, { origin: "replay", run_id: null }, digestOnce());
    if (logged === null) return [];
    const { bars } = await ports.bars.history(instrument, { timeframe: "1d", limit: 6_500 });
    const ranges = atr(bars.high, bars.low, bars.close, 14);
    const request = { bars, at: dayAt(at) - 1, horizons: [HORIZON], atr: ranges, closedAt: String } as const;
    const { symbol, asset_class } = instrument;
    const { direction, grade } = logged;
    const known = at + HORIZON * DAY_MS;
    return outcomesOf(logged, request).map((outcome) => ({
      ...outcome,
      symbol,
      asset_class,
      direction,
      grade,
      at,
      known,
    }));
  }
}

const totals = (fold: ReturnType<typeof recordFold>): readonly ROverBase[] =>
  [...fold.overBase()].filter(({ asset_class, grade }) => asset_class === null && grade === null);
