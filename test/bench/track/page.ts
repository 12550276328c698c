import { GRADES } from "../../../src/analytics/score/grade.ts";
import { fixedText } from "../../../src/charts/figures.ts";
import type { Horizon, TrackRow } from "../../../src/domain/track-record/track.ts";
import { tableOf } from "../detectors/report.ts";
import type { Bin, Calibration } from "./forecasts.ts";
import {
  gradeOverBaseTable,
  heldOutText,
  kellyText,
  leaningText,
  type OverBaseResults,
  overBaseTable,
  overBaseText,
  overBaseVerdict,
} from "./over-base.ts";
import type { Mean, Rates } from "./rates.ts";

/** Results of a replay of files, as shown on the results page. */
export interface Results {
  /** Date of the replay, `2026-01-31`. */
  readonly day: string;
  readonly model: string;
  readonly stocks: number;
  readonly coins: number;
  readonly moments: number;
  readonly signals: number;
  /** Dates of the first signals. */
  readonly from: { readonly stocks: string; readonly coins: string };
  readonly until: string;
  readonly horizons: Readonly<Record<Horizon, HorizonResults>>;
  /** Rows as `get_track_record` publishes them. */
  readonly rows: readonly TrackRow[];
  readonly overBase: OverBaseResults;
}

/** Results of one horizon. */
export interface HorizonResults {
  readonly all: Rates;
  readonly grades: ReadonlyMap<string, Rates>;
  readonly halves: ReadonlyMap<string, Rates>;
  readonly directions: ReadonlyMap<string, Rates>;
  readonly calibration: Calibration;
}

const HEAD = ["", "n", "n_eff", "days", "higher", "95% interval", "base", "over base", "excess"];
const TRADES = ["trades", "R"];

/** Renders the results page. Its first line states whether there is skill, and its header names the model. */
export function pageText(results: Results): string {
  const { 5: five, 20: twenty, 60: sixty } = results.horizons;
  const { overBase } = results;
  const leaning = leaningText(overBase);
  return [
    "# What came of the signals",
    verdictOf(twenty.calibration.skill),
    `**Trades against their base:** ${overBaseVerdict(overBase.own)}. ${overBaseText(overBase.own)}.`,
    ...(leaning === null ? [] : [leaning]),
    halvesText(twenty),
    headerOf(results),
    "![On the left, by grade, how often the close was higher 20 bars later, with intervals, compared with all of the same closes; on the right how often a forecast rise came](track-record.png)",
    "## After 20 bars, by grade",
    "A grade says how attractive the long side is. **Higher** is the share of closes that were higher 20 bars later, with its 95% Wilson interval over n_eff; **base** is the same share of all signals of the same closes and asset class, WAIT too, and **over base** the difference in points; **excess** is the mean change less theirs. **R** is the mean result of the trades that the signals proposed, in multiples of the risk taken, entered at the next open with a time exit after 20 bars, before any cost. ± is two standard errors over calendar quarters, in which all symbols may err together: a figure smaller than its ± is no more than chance makes. LONG trades have the upper grades, SHORT trades the lower.",
    gradeTable(twenty, true),
    partedText(twenty, "20 bars"),
    "## After 5 and after 60 bars, by grade",
    "After 5 bars:",
    gradeTable(five, false),
    partedText(five, "5 bars"),
    "After 60 bars:",
    gradeTable(sixty, false),
    partedText(sixty, "60 bars"),
    "## By direction",
    "Higher means higher for SHORT and WAIT too: a good SHORT lies under its base.",
    directionTable(results),
    tradesText(twenty),
    "## R over the base",
    "R alone says little: with a stop at 1.5 and a target at 4.25 ATR any rising stock makes LONG trades win. **Base R** is the mean result of that plan, in the trade's direction with the same exits, at every close of the same symbols that the record covers, weighted by the trades of each symbol; these distances are the medians of the trades. **Over base** is what the choice of closes added. Its 95% interval counts each calendar quarter, of all symbols, as one observation.",
    overBaseTable(overBase),
    heldOutText(overBase),
    "By grade, all asset classes:",
    gradeOverBaseTable(overBase),
    kellyText(results.rows),
    "By asset class after 20 bars, as `get_track_record` publishes it: hits in the signal's direction against the base rate of the whole class over all its closes, and the Brier skill of forecasts by each group's own past.",
    classTable(results.rows),
    "## Forecasts and what happened",
    "The record forecasts each LONG and SHORT by the past of its group (grade, direction, asset class): the share of rises among outcomes known by then, drawn towards the base rate while they are few. Below, forecasts after 20 bars in bins of five points. They are computed here a second time, by other code, and agree with the published record to the last digit shown.",
    binTable(twenty.calibration.bins),
    "**Brier** is the mean squared error of a forecast, **base** that of forecasting the base rate known by then instead; **skill** is the share of it that is saved (1 all, 0 none, under 0 worse). **Reliability** is how far the bins lie from the diagonal, squared (0 is best), **resolution** how far they part what happened (the more the better), **uncertainty** what forecasting the share of the whole history would leave, which was unknown in advance.",
    calibrationTable(results),
    calibrationText(twenty.calibration),
    "## How to read it",
    limitsText(results),
  ].join("\n\n");
}

/** States whether forecasts by grade reduced the error, in under 145 characters without the asterisks. */
export function verdictOf({ mean, error }: Mean): string {
  const about = (figure: string) => `${figure}%${error === null ? "" : ` ± ${(100 * error).toFixed(1)}%`}`;
  const saved = `saved ${about(signed(100 * mean, 1))} of the base rate's squared error`;
  if (error === null || Math.abs(mean) <= error)
    return `**No skill is shown after 20 bars:** forecasts from each grade's past ${saved}, no more than chance does.`;
  return mean < 0
    ? `**No skill after 20 bars:** forecasts from each grade's past made ${about((-100 * mean).toFixed(1))} more squared error than the base rate alone.`
    : `**Some skill after 20 bars, on this history alone:** forecasts from each grade's past ${saved}.`;
}

/** States how far the upper and lower grades lie from their base rate. */
function halvesText({ halves }: HorizonResults): string {
  const ends = [...halves].map(([name, rates]) => ({ name, rates }));
  const sidesOf = (of: (rates: Rates) => Mean, digits: number, unit: string) => {
    const apart = ends.filter(({ rates }) => isApart(of(rates))).length;
    const error = apart === 0 ? "no end by more" : apart === 1 ? "one end by more" : "both by more";
    const parts = ends.map(({ name, rates }) => `${plusMinus(of(rates), digits, 100)}${unit} for ${name}`);
    return `${parts.join(" and ")} (${error} than its error)`;
  };
  return `After 20 bars, less all of the same closes, the share of higher closes is ${sidesOf(({ over }) => over, 1, " points")}; the mean change is ${sidesOf(({ excess }) => excess, 2, "%")}.`;
}

const headerOf = ({ day, model, stocks, coins, moments, signals, from, until }: Results): string =>
  `Written on ${day} by \`npm run bench -- track --write\`, which runs \`market-signal track replay\` over files of daily bars: model \`${model}\`, ${stocks} US stocks and funds and ${coins} coins, ${count(signals)} signals at ${count(moments)} closes to ${until.slice(0, 10)} (coins from ${from.coins}, stocks and funds from ${from.stocks}), each from what was known at its close alone. After a change of the model this page is written anew.`;

function gradeTable({ all, grades, halves }: HorizonResults, withTrades: boolean): string {
  const rows = [
    ...GRADES.flatMap((name) => rowsOf(name, grades)),
    ...[...halves.keys()].flatMap((name) => rowsOf(name, halves)),
  ];
  return tableOf(
    [...HEAD, ...(withTrades ? TRADES : [])],
    [...rows, ["all", all] as const].map(([name, rates]) => cellsOf(name, rates, withTrades)),
  );
}

const rowsOf = (name: string, all: ReadonlyMap<string, Rates>): (readonly [string, Rates])[] => {
  const rates = all.get(name);
  return rates === undefined ? [] : [[name, rates]];
};

const cellsOf = (name: string, rates: Rates, withTrades: boolean): readonly string[] => [
  ...[name, count(rates.n), count(rates.n_eff), count(rates.days), share(rates.higher)],
  `${share(rates.interval.low)} - ${share(rates.interval.high)}`,
  ...[share(rates.base), plusMinus(rates.over, 1, 100), `${plusMinus(rates.excess, 2, 100)}%`],
  ...(withTrades
    ? [rates.trades === 0 ? "-" : count(rates.trades), rates.r === null ? "-" : plusMinus(rates.r, 2)]
    : []),
];

/** Lists the grades that differ from their base rate by more than their error, and the upper and lower grades. */
function partedText({ grades, halves }: HorizonResults, after: string): string {
  const named = [...grades]
    .filter(([, { over }]) => isApart(over))
    .map(([name, { over }]) => `${name} (${plusMinus(over, 1, 100)})`);
  const ends = [...halves].map(([name, { over }]) => `${name} ${plusMinus(over, 1, 100)} points`).join(", ");
  const which =
    named.length === 0
      ? `After ${after} no grade lies apart from its base by more than its error`
      : `After ${after} ${named.length} of ${grades.size} grades ${named.length === 1 ? "lies" : "lie"} apart from ${named.length === 1 ? "its" : "their"} base by more than the error: ${named.join(", ")}`;
  return `${which}; of ${grades.size} grades chance alone makes about ${Math.max(1, Math.round(grades.size * 0.05))} do so. Taken together over their base: ${ends}.`;
}

const directionTable = ({ horizons }: Results): string =>
  tableOf(
    [HEAD[0]!, "bars", ...HEAD.slice(1), ...TRADES],
    ([5, 20, 60] as const).flatMap((horizon) =>
      ["LONG", "SHORT", "WAIT"].flatMap((name) =>
        rowsOf(name, horizons[horizon].directions).map(([, rates]) => {
          const [first, ...cells] = cellsOf(name, rates, true);
          return [first!, `${horizon}`, ...cells];
        }),
      ),
    ),
  );

/** Results of trades for each side. */
const tradesText = ({ all, directions }: HorizonResults): string => {
  const said = ["LONG", "SHORT"].flatMap((name) => {
    const r = directions.get(name)?.r;
    if (r === null || r === undefined) return [];
    const what = !isApart(r) ? "no more than chance makes" : r.mean > 0 ? "a gain" : "a loss";
    return [`trades of ${name} made ${plusMinus(r, 2)} R, ${what}`];
  });
  return `Before costs ${said.join("; ")}. ${share(all.higher)} of all closes were higher 20 bars later: the market's own way is in these results too.`;
};

function classTable(rows: readonly TrackRow[]): string {
  const own = rows.filter((row) => row.horizon === 20 && row.direction !== "WAIT");
  const names = [...new Set(own.map(({ asset_class, direction }) => `${asset_class} ${direction}`))].sort();
  return tableOf(
    ["", "n", "hits", "base", "excess", "skill"],
    names.map((name) => {
      const group = own.filter(({ asset_class, direction }) => name === `${asset_class} ${direction}`);
      const n = group.reduce((sum, row) => sum + row.n, 0);
      const mean = (of: (row: TrackRow) => number | null) => {
        const known = group.flatMap((row) => {
          const figure = of(row);
          return figure === null ? [] : [{ figure, weight: row.n }];
        });
        const weight = known.reduce((sum, one) => sum + one.weight, 0);
        return known.reduce((sum, one) => sum + one.weight * one.figure, 0) / weight;
      };
      return [
        ...[name, count(n), share(mean((row) => row.hit_rate)), share(mean((row) => row.base_rate))],
        `${signed(100 * mean((row) => row.mean_excess), 2)}%`,
        signed(
          mean((row) => row.skill),
          4,
        ),
      ];
    }),
  );
}

const binTable = (bins: readonly Bin[]): string =>
  tableOf(
    ["forecast", "n", "n_eff", "mean forecast", "happened", "95% interval"],
    bins.map(({ from, to, n, n_eff, forecast, happened, interval }) => [
      ...[`${share(from, 0)} - ${share(to, 0)}`, count(n), count(n_eff), share(forecast)],
      ...[share(happened), `${share(interval.low)} - ${share(interval.high)}`],
    ]),
  );

const calibrationTable = ({ horizons }: Results): string =>
  tableOf(
    ["bars", "n", "Brier", "base", "skill", "reliability", "resolution", "uncertainty"],
    ([5, 20, 60] as const).map((horizon) => {
      const { n, brier, reference, skill, reliability, resolution, uncertainty } =
        horizons[horizon].calibration;
      return [
        ...[`${horizon}`, count(n), brier.toFixed(4), reference.toFixed(4), plusMinus(skill, 4)],
        ...[reliability, resolution, uncertainty].map((figure) => figure.toFixed(4)),
      ];
    }),
  );

/** Compares resolution with reliability and lists bins whose forecast lies outside the interval. */
const calibrationText = ({ bins, reliability, resolution }: Calibration): string => {
  const outside = bins.filter(
    ({ forecast, interval }) => forecast < interval.low || forecast > interval.high,
  );
  const missed =
    outside.length === 0
      ? "In every bin the forecast lies within the interval of what happened"
      : `In ${outside.length} of ${bins.length} bins the forecast lies outside the interval of what happened`;
  return resolution > reliability
    ? `${missed}. After 20 bars the bins part more than they miss.`
    : `${missed}. After 20 bars the bins miss more than they part: a past share is a poor forecast where one year differs from the next.`;
};

const limitsText = ({ stocks, coins }: Results): string =>
  [
    `- **Survivors.** The ${stocks + coins} symbols are of today, many of them large because they rose. What was delisted or merged is missing, so that every share of rises, LONG and its base are higher than they would have been, and SHORT lower. Comparison with the same closes takes out a part of it.`,
    "- **They move together.** Symbols of one day rise and fall together, which n_eff (n / 20, after 60 bars n / 60) does not count: the Wilson intervals and the whiskers of the picture are narrower than they should be. The ± over quarters does count it, from few quarters.",
    "- **Alone.** Where a close has one symbol of its class, as those of early coins have, that symbol is its own base and no different from it.",
    "- **Many comparisons.** Three horizons of thirteen grades and three directions are some fifty figures; a few stand apart by chance.",
    "- **Trades are made of bars.** Entry at the next open, the stop first where a bar touches stop and target, no costs, no slippage, no dividends, no borrowing for SHORT.",
    "- **Few inputs.** Files hold prices and volume alone: no off-exchange prints, no news, and ranks among these symbols instead of a whole market.",
    "- **Noise.** The same record made of random walks and of shuffled returns, where nothing can be known, is in [detectors.md](detectors.md#track-record): skill is about zero there as well.",
    "- **No promise.** This is what came of past signals on some files. It forecasts nothing, and it is not advice.",
  ].join("\n");

const isApart = ({ mean, error }: Mean): boolean => error !== null && Math.abs(mean) > error;
const count = (n: number): string => fixedText(n, 0);
const share = (value: number, digits = 1): string => `${(100 * value).toFixed(digits)}%`;
const signed = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  const size = text.replace(/^-/, "");
  return Number(size) === 0 ? size : value < 0 ? `-${size}` : `+${size}`;
};
const plusMinus = ({ mean, error }: Mean, digits: number, scale = 1): string =>
  error === null
    ? signed(scale * mean, digits)
    : `${signed(scale * mean, digits)} ± ${(scale * error).toFixed(digits)}`;
