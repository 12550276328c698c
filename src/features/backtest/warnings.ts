import { endsEarly } from "../../analytics/backtest/members.ts";
import { suspectedSplits } from "../../analytics/backtest/splits.ts";
import { MIN_TRADES, stabilityOf } from "../../analytics/backtest/stability.ts";
import type { Refused } from "../../analytics/backtest/types.ts";
import type { Metrics } from "../../domain/backtest/metrics.ts";
import { type Market, SAMPLE_LABEL } from "../../domain/market/market.ts";
import { describeOmittedRows } from "../../domain/market/omitted-rows.ts";
import type { BacktestRequest } from "./plan.ts";
import type { Backtest } from "./run.ts";
import { describeTrials } from "./trials.ts";

interface WarningContext extends Pick<BacktestRequest, "from"> {
  readonly metrics: Metrics;
  readonly label: (at: number) => string;
}

const METRIC_LABELS = {
  annual_return_pct: "annual return",
  sharpe_arithmetic: "Sharpe ratio",
  mean_daily_return_pct: "mean daily return",
} as const;
const REFUSAL_TEXT = {
  cash: "there was not enough cash for one unit",
  no_edge: "the previous trades had no edge from which to compute a size",
  no_range: "the average true range for sizing was unknown or 0",
  risk_cap: "the limit on open risk was reached",
  limit: "the price did not reach the limit",
  cooldown: "a cooldown after stop-outs was active",
  halt: "the drawdown limit had halted the run",
} as const satisfies Partial<Record<Refused["reason"], string>>;
/** Probability below which a Sharpe ratio may be due to chance. */
const MIN_PROBABILITY = 0.95;

/** Returns the reasons to doubt the result of a run, most serious first. */
export function warningsOf(run: Backtest, { metrics, from, label }: WarningContext): string[] {
  const { ledger, swept, deflated, peek, nullRun, read } = run;
  const stability = stabilityOf(run.intervals, metrics.trade_count, run.costs);
  const { few_trades, spans_zero, profit_gone_at } = stability;
  const cautions: string[] = [];
  if (peek !== null)
    cautions.push(
      `The strategy looks ahead: the ${peek.field} of ${peek.symbol} at ${label(peek.time)} changes with later bars.`,
    );
  for (const { instrument, series } of read) {
    const leftOut = describeOmittedRows(series.omitted ?? [], series.bars.timeframe);
    if (leftOut !== null) cautions.push(`${instrument.symbol}: ${leftOut}`);
    if (series.adjustment !== "split" && series.adjustment !== "total_return")
      for (const { time, ratio } of suspectedSplits(series.bars))
        cautions.push(
          `${instrument.symbol} opened on ${label(time)} as if after a ${ratio} split for which its prices were not adjusted: every figure that spans it is wrong.`,
        );
  }
  if (ledger.refused.some(({ reason }) => reason === "ruin"))
    cautions.push(
      metrics.final_equity < 0
        ? `The account lost all its equity and owes ${(-metrics.final_equity).toFixed(2)} USD; no trade followed.`
        : "The account lost all its equity; no trade followed.",
    );
  if (metrics.trade_count === 0)
    cautions.push("No trade was closed: the figures say nothing about the strategy.");
  else if (few_trades !== null)
    cautions.push(
      `Only ${few_trades} ${few_trades === 1 ? "trade was" : "trades were"} closed; under ${MIN_TRADES} a win rate or an average says little.`,
    );
  if (spans_zero.length > 0)
    cautions.push(
      `The 95 % ${spans_zero.length === 1 ? "interval" : "intervals"} of the ${spans_zero.map((name) => METRIC_LABELS[name]).join(", the ")} ${spans_zero.length === 1 ? "contains" : "contain"} 0: the result may be due to chance.`,
    );
  if (profit_gone_at !== null)
    cautions.push(
      profit_gone_at === 1
        ? "There is a profit only before the assumed costs."
        : `At ${profit_gone_at} times the assumed costs, the profit is gone.`,
    );
  if (swept !== null)
    cautions.push(
      `The parameters are the best of ${swept.trials} tried on the same bars: do not expect these figures on other bars${formatWalkForward(swept.walkForward)}.`,
    );
  if (deflated.deflated !== null && deflated.deflated < MIN_PROBABILITY)
    cautions.push(
      `This run, ${swept === null ? "one" : "the best"} of ${deflated.trials} trials, has a deflated Sharpe probability of ${deflated.deflated.toFixed(2)}: chance alone may explain the result.`,
    );
  if (nullRun?.sharpe_arithmetic && nullRun.sharpe_arithmetic.share > 1 - MIN_PROBABILITY)
    cautions.push(
      `${nullRun.sharpe_arithmetic.at_least} of ${nullRun.draws} runs on shuffled returns had as high a Sharpe ratio.`,
    );
  for (const [reason, words] of Object.entries(REFUSAL_TEXT)) {
    const count = ledger.refused.filter((one) => one.reason === reason).length;
    if (count > 0)
      cautions.push(`${count} ${count === 1 ? "entry was" : "entries were"} not filled: ${words}.`);
  }
  if (ledger.open.length > 0)
    cautions.push(
      `${ledger.open.length} position${ledger.open.length === 1 ? " is" : "s are"} open at the end: included in equity, not in trade statistics; finalize closes them.`,
    );
  const end = ledger.time[ledger.time.length - 1]!;
  for (const { instrument, series } of read) {
    const last = series.bars.time[series.bars.time.length - 1]!;
    if (endsEarly(series.bars, end) && run.unread === undefined)
      cautions.push(
        `Bars of ${instrument.symbol} end on ${label(last)}, before the others: its position is valued at that close.`,
      );
  }
  for (const { instrument, series } of read)
    if (from !== undefined && run.unread === undefined && series.bars.time[0]! > from)
      cautions.push(`Bars of ${instrument.symbol} begin on ${label(series.bars.time[0]!)}, after from.`);
  const { unread = [] } = run;
  if (unread.length > 0)
    cautions.push(
      `${unread.length} ${unread.length === 1 ? "member" : "members"} of the list ${unread.length === 1 ? "has" : "have"} no bars and ${unread.length === 1 ? "is" : "are"} left out (${listed(unread)}): the result is too good if ${unread.length === 1 ? "it" : "they"} did badly.`,
    );
  return cautions;
}

/** Maximum number of symbols that a sentence names. */
const MAX_LISTED = 10;

const listed = (symbols: readonly string[]): string =>
  symbols.length > MAX_LISTED ? `${symbols.slice(0, MAX_LISTED).join(", ")} ...` : symbols.join(", ");

/** Returns the note on the members of a traded list. */
function describeMembers({ read, ledger }: Backtest): string {
  const end = ledger.time.at(-1)!;
  const ended = read.filter(({ series }) => endsEarly(series.bars, end));
  const left = read.filter((one) => !ended.includes(one) && one.memberships!.at(-1)!.to < end);
  return `Each symbol is held only while it is a member of the list: ${read.length} symbols, of which ${left.length} left it and ${ended.length} have bars that end before the run, where they are sold at their last close.`;
}

const formatWalkForward = (forward: NonNullable<Backtest["swept"]>["walkForward"]): string =>
  forward?.out_of_sample
    ? `; parameters chosen on earlier bars only returned ${forward.out_of_sample.return_pct.toFixed(2)}%`
    : "; set folds to see the result of parameters chosen on earlier bars only";

/** @see https://doi.org/10.1093/rfs/15.5.1439 (abstract) */
const SURVIVORS =
  "Delisted symbols are missing, so results of stocks are too good: for US funds, Carhart et al. (Review of Financial Studies, 2002) measured 0.07 % a year over one year, 1 % over more than 15.";

/** Returns notes on the data and settings of a run. */
export function notesOf(run: Backtest, market: Market): string[] {
  const { read, repeated, plan, ledger, deflated, streams, account } = run;
  const shorts = [...ledger.trades, ...ledger.open].some(({ side }) => side === "SHORT");
  const dividends = read.every((one) => one.series.adjustment !== "total_return" && one.dividends == null);
  const paid = read.filter(({ dividends }) => dividends != null).map(({ instrument }) => instrument.symbol);
  const slips = new Set(streams.map(({ slippage }) => slippage));
  return [
    ...(market.mode === "sample"
      ? [`${SAMPLE_LABEL}: every price is simulated; nothing here happened in a market.`]
      : []),
    ...(run.unread !== undefined ? [describeMembers(run)] : []),
    ...(run.unread === undefined &&
    (read.length > 1 || read.some(({ instrument }) => instrument.asset_class === "equity"))
      ? [SURVIVORS]
      : []),
    ...(dividends ? ["Dividends and interest on cash are left out."] : []),
    ...(paid.length > 0
      ? [
          `Dividends of ${paid.join(", ")} are paid to long and by short positions; interest on cash is left out.`,
        ]
      : []),
    ...(slips.size > 1
      ? [
          `Slippage on each side: ${streams.map(({ symbol, slippage }) => `${symbol} ${slippage}`).join(", ")}.`,
        ]
      : []),
    ...(plan.rules?.limit === undefined
      ? []
      : [
          "A limit entry is filled where a bar reaches its price, without slippage; real orders may wait in a queue.",
        ]),
    ...(plan.needs.signal
      ? ["The signal is replayed as of each close from bars alone; ranks use the symbols of today."]
      : []),
    ...(deflated.trials > 1 ? [describeTrials(deflated.trials)] : []),
    ...(shorts
      ? [
          account.borrow === undefined
            ? `Short sales have no borrowing fees${paid.length > 0 ? "" : ", dividends"} or margin calls here.`
            : "Short sales have no margin calls here.",
        ]
      : []),
    ...repeated.map((name) => `${name} is a duplicate of an earlier symbol`),
  ];
}
