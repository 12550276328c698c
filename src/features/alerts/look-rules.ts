import { becomesTrue } from "../../analytics/conditions/becomes-true.ts";
import { type Rule, type RuleColumn, ruleColumn, ruleOf } from "../../analytics/conditions/rule.ts";
import { newestTape, type SignalReading } from "../../analytics/decisions/rules.ts";
import type { Seen, Watching } from "../../domain/alerts/alerts-port.ts";
import type { Followed } from "../../domain/alerts/changes-port.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import { type Picture, pictureOf } from "../signal/picture.ts";
import type { SignalPorts } from "./look-signal.ts";
import { ruleText } from "./texts.ts";

/** Bars beyond those that fill the slowest term, so that averages do not depend on where the history starts. */
const MARGIN = 500;
const SETTLES = 4;

/** A rule over the newest bars of one symbol. */
export interface RuleLook extends RuleColumn {
  readonly series: BarSeries & { readonly as_of: string };
  /** First bar of which it is known whether the rule held: with the signal's terms the last one alone. */
  readonly known: number;
}

/** INVALID_INPUT with everything that is wrong with a rule. */
export function readRule(text: string): Rule {
  const rule = ruleOf(text);
  if ("plan" in rule) return rule;
  throw new ToolError("INVALID_INPUT", rule.problems.map(({ message }) => message).join("; "), {
    hint: 'A rule is one condition, or several with "and" between: "rsi(14) < 30 and close > sma(200)".',
    data: { errors: rule.problems.map(({ message }) => ({ pointer: "/rule", detail: message })) },
  });
}

/**
 * Where a rule holds on the closed bars of a series; null where too little is known to say. Terms of the signal are those of the
 * newest bar and of the one before it.
 */
export async function lookAtRule(
  rule: Rule,
  { instrument, timeframe }: { readonly instrument: Instrument } & Pick<Followed, "timeframe">,
  signal: AbortSignal,
  ports: SignalPorts,
): Promise<RuleLook | null> {
  const limit = SETTLES * rule.needs.fewest + MARGIN;
  const found = await ports.bars.history(instrument, { timeframe, limit, signal });
  const { bars, as_of } = found;
  const last = bars.time.length - 1;
  if (as_of === null || last < 1) return null;
  const series = { ...found, as_of };
  if (!rule.needs.tape) {
    const column = ruleColumn(rule, bars);
    return column.start > last ? null : { ...column, series, known: column.start };
  }
  const before = new Date(barCloseMs(bars.time[last - 1]!, timeframe, bars.zone)).toISOString();
  const readings = await Promise.all(
    [before, as_of].map((moment) =>
      pictureOf({ symbol: instrument.symbol, timeframe, as_of: moment, signal }, ports),
    ),
  );
  if (readings.some(({ consensus }) => consensus.score === null)) return null;
  const column = ruleColumn(rule, bars, newestTape(bars.time.length, readings.map(readingOf)));
  return column.start > last ? null : { ...column, series, known: last };
}

const readingOf = ({ consensus, structure }: Picture): SignalReading => ({
  ...{ score: consensus.score, grade: consensus.grade, direction: consensus.direction },
  phase: structure.wyckoff.phase === "Undetermined" ? null : structure.wyckoff.phase,
  drivers: Object.fromEntries(consensus.drivers.map(({ id, value }) => [id, value])),
});

/** What a rule was at the last bar that was looked at. */
interface Held {
  readonly held: boolean;
  /** Start of that bar, epoch ms. */
  readonly time: number;
}

/** As it is kept of a subscription and symbol. */
export const heldText = ({ held, series }: RuleLook): string =>
  JSON.stringify({ held: held.at(-1) === 1, time: series.bars.time.at(-1)! } satisfies Held);

const heldIn = (text: string | undefined): Held | null => (text === undefined ? null : JSON.parse(text));

/** What one subscription is told by a rule's look: every bar at which it became true since the last look. Null where no bar is new. */
export function seenByRule(
  { account, subscription, seen }: Watching,
  { symbol, timeframe }: Followed,
  {
    at,
    look,
    market,
  }: { readonly at: Date; readonly look: RuleLook; readonly market: SignalPorts["market"] },
): Seen | null {
  const { series, held, known, figuresAt } = look;
  const { bars, source } = series;
  const before = heldIn(seen[symbol]);
  const time = bars.time.at(-1)!;
  if (before !== null && time <= before.time) return null;
  const next = before === null ? 0 : bars.time.findIndex((start) => start > before.time);
  const turns = becomesTrue(before?.held ?? null, held, Math.max(next, known));
  const { subscription_id, condition } = subscription;
  const rule = condition.rule!;
  return {
    ...{ account, subscription: subscription_id, symbol },
    before: seen[symbol] ?? null,
    now: heldText(look),
    alerts: turns.at.map((bar) => {
      const closed = new Date(barCloseMs(bars.time[bar]!, timeframe, bars.zone)).toISOString();
      const as_of = bar === bars.time.length - 1 ? series.as_of : closed;
      const figures = { close: bars.close[bar]!, ...figuresAt(bar) };
      return {
        alert_id: `al_${idDigits(JSON.stringify([subscription_id, symbol, bars.time[bar]]))}`,
        ...{ subscription_id, symbol, timeframe, fired_at: at.toISOString(), as_of },
        text: ruleText({ symbol, timeframe, rule, source }, figures, as_of),
        ...{ change: null, figures, source, market: market.mode },
      };
    }),
  };
}
