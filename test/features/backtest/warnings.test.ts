import { beforeAll, describe, expect, it } from "vitest";
import type { Interval } from "../../../src/analytics/backtest/bootstrap.ts";
import { metricsOf } from "../../../src/analytics/backtest/metrics.ts";
import type { CostOutcome } from "../../../src/analytics/backtest/stability.ts";
import type { Refused } from "../../../src/analytics/backtest/types.ts";
import type { Metrics } from "../../../src/domain/backtest/metrics.ts";
import { type Backtest, executeBacktest } from "../../../src/features/backtest/run.ts";
import { notesOf, warningsOf } from "../../../src/features/backtest/warnings.ts";
import { marketOf, withPrices } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { backtestRequest } from "./request.ts";

const DAY = 86_400_000;
const SURVIVORS =
  "Delisted symbols are missing, so results of stocks are too good: for US funds, Carhart et al. (Review of Financial Studies, 2002) measured 0.07 % a year over one year, 1 % over more than 15.";
const label = (at: number) => new Date(at).toISOString().slice(0, 10);
const between = (low: number, high: number): Interval => ({
  value: (low + high) / 2,
  low,
  high,
  reason: null,
});
const costs = (...returns: readonly number[]) =>
  returns.map(
    (return_pct, i): Pick<CostOutcome, "multiple" | "return_pct"> => ({ multiple: i + 1, return_pct }),
  ) as CostOutcome[];

let sound: Backtest;
let metrics: Metrics;
beforeAll(async () => {
  const { ports } = marketOf({ bars: { AAPL: syntheticBars(1, 300) } });
  const run = await executeBacktest(backtestRequest(), ports);
  const intervals = {
    annual_return_pct: between(1, 3),
    sharpe_arithmetic: between(1, 2),
    mean_daily_return_pct: between(1, 2),
  };
  sound = { ...run, intervals, costs: costs(3, 2, 1), deflated: { ...run.deflated, deflated: null } };
  metrics = { ...metricsOf(run.ledger, { ...run, benchmark: run.streams }).metrics, trade_count: 30 };
});
const cautions = (over: Partial<Backtest> = {}, told: { trade_count?: number; from?: number } = {}) =>
  warningsOf(
    { ...sound, ...over },
    { metrics: { ...metrics, trade_count: told.trade_count ?? 30 }, from: told.from, label },
  );
const refusing = (...reasons: readonly Refused["reason"][]) => ({
  ledger: { ...sound.ledger, refused: reasons.map((reason) => ({ symbol: "AAPL", time: 0, reason })) },
});

describe("the warnings of a run", () => {
  it("are empty for a sound run", () => {
    expect(cautions()).toEqual([]);
  });

  it("begin with look-ahead", () => {
    const time = Date.UTC(2021, 4, 3);
    expect(cautions({ peek: { symbol: "AAPL", field: "stop", time }, ...refusing("ruin") })).toEqual([
      "The strategy looks ahead: the stop of AAPL at 2021-05-03 changes with later bars.",
      "The account lost all its equity; no trade followed.",
    ]);
  });

  it("name an unadjusted split, but no fall of adjusted prices", () => {
    const [{ instrument, series }] = sound.read as [Backtest["read"][number]];
    const bars = withPrices(series.bars, (price, i) => (i < 200 ? price : price / 2));
    const read = (adjustment: "raw" | "split") => [{ instrument, series: { ...series, bars, adjustment } }];
    const day = label(bars.time[200]!);
    expect(cautions({ read: read("raw") })).toEqual([
      `AAPL opened on ${day} as if after a 2:1 split for which its prices were not adjusted: every figure that spans it is wrong.`,
    ]);
    expect(cautions({ read: read("split") })).toEqual([]);
  });

  it("name missing and few trades", () => {
    for (const [trade_count, warning] of [
      [0, "No trade was closed: the figures say nothing about the strategy."],
      [29, "Only 29 trades were closed; under 30 a win rate or an average says little."],
      [1, "Only 1 trade was closed; under 30 a win rate or an average says little."],
    ] as const)
      expect(cautions({}, { trade_count })).toEqual([warning]);
  });

  it("name intervals that contain 0, and a profit lost at higher costs", () => {
    const zero = { annual_return_pct: between(-1, 3), sharpe_arithmetic: between(0, 1) };
    const intervals = { ...sound.intervals, ...zero };
    expect(cautions({ intervals, costs: costs(5, 1, 0) })).toEqual([
      "The 95 % intervals of the annual return, the Sharpe ratio contain 0: the result may be due to chance.",
      "At 3 times the assumed costs, the profit is gone.",
    ]);
    expect(cautions({ costs: costs(-1, -2, -3) })).toEqual([]);
  });

  it("describe a sweep with its walk-forward and deflated Sharpe ratio", () => {
    const none = { best: null, top: [], all: [], walkForward: null };
    const swept = { trials: 7, invalidCount: 0, ...none };
    const said =
      "The parameters are the best of 7 tried on the same bars: do not expect these figures on other bars";
    expect(cautions({ swept })).toEqual([
      `${said}; set folds to see the result of parameters chosen on earlier bars only.`,
    ]);
    const out_of_sample = { return_pct: -1.234, sharpe_arithmetic: null, trade_count: 3 };
    const walkForward = { folds: [], out_of_sample, ratio: null, reason: null } as never;
    const deflated = { ...sound.deflated, trials: 7, deflated: 0.949 };
    expect(cautions({ swept: { ...swept, walkForward }, deflated })).toEqual([
      `${said}; parameters chosen on earlier bars only returned -1.23%.`,
      "This run, the best of 7 trials, has a deflated Sharpe probability of 0.95: chance alone may explain the result.",
    ]);
    expect(cautions({ deflated: { ...deflated, deflated: 0.95 } })).toEqual([]);
  });

  it("name shuffled returns that did as well, from a share of one in twenty", () => {
    const among = (share: number) => {
      const rank = { value: 1, at_least: 1, share, mean: 0 };
      return cautions({ nullRun: { draws: 20, sharpe_arithmetic: rank, return_pct: rank } });
    };
    expect(among(2 / 21)).toEqual(["1 of 20 runs on shuffled returns had as high a Sharpe ratio."]);
    expect(among(1 / 21)).toEqual([]);
  });

  it("count unfilled entries by reason", () => {
    expect(cautions(refusing("cash", "no_edge", "cash"))).toEqual([
      "2 entries were not filled: there was not enough cash for one unit.",
      "1 entry was not filled: the previous trades had no edge from which to compute a size.",
    ]);
  });

  it("name open positions, and bars that begin after `from`", () => {
    const { time } = sound.read[0]!.series.bars;
    const [trade] = sound.ledger.trades;
    const ledger = { ...sound.ledger, open: [{ ...trade!, profit: 1 }] };
    expect(cautions({ ledger }, { from: time[0]! - DAY })).toEqual([
      "1 position is open at the end: included in equity, not in trade statistics; finalize closes them.",
      `Bars of AAPL begin on ${label(time[0]!)}, after from.`,
    ]);
    expect(cautions({}, { from: time[0]! })).toEqual([]);
  });

  it("name a symbol whose bars end more than ten days early", () => {
    const { time } = sound.read[0]!.series.bars;
    const last = time.at(-1)!;
    const ending = (days: number) =>
      cautions({ ledger: { ...sound.ledger, time: Float64Array.of(time[0]!, last + days * DAY) } });
    expect(ending(11)).toEqual([
      `Bars of AAPL end on ${label(last)}, before the others: its position is valued at that close.`,
    ]);
    expect(ending(10)).toEqual([]);
  });
});

it("notes simulated prices, omissions, replayed signals and repeated names", () => {
  const files = { mode: "files", id: "a" } as const;
  expect(notesOf(sound, files)).toEqual([SURVIVORS, "Dividends and interest on cash are left out."]);
  const signal = { ...sound.plan, needs: { ...sound.plan.needs, signal: true } };
  expect(notesOf({ ...sound, plan: signal, repeated: ["aapl"] }, { mode: "sample", id: "b" })).toEqual([
    "SAMPLE (simulated): every price is simulated; nothing here happened in a market.",
    SURVIVORS,
    "Dividends and interest on cash are left out.",
    "The signal is replayed as of each close from bars alone; ranks use the symbols of today.",
    "aapl is a duplicate of an earlier symbol",
  ]);
  const short = sound.ledger.trades.map((trade) => ({ ...trade, side: "SHORT" as const }));
  expect(notesOf({ ...sound, ledger: { ...sound.ledger, trades: short } }, files)).toContain(
    "Short sales have no borrowing fees, dividends or margin calls here.",
  );
});
