import {
  holdsFor,
  SCREEN_NAMES,
  type ScreenRule,
  screenRuleOf,
} from "../../analytics/conditions/screen-rule.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { unambiguousSymbol } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import type { Ports } from "../../domain/ports.ts";
import { readSector } from "../../domain/recognisers/sector-text.ts";
import { asToolError, isCallError, ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";

/** Series read concurrently; providers of live prices are shared with other requests. */
const MAX_CONCURRENT = 4;
/**
 * Bars read, as a multiple of the warm-up and at most those that runs have cached, so that averages hardly depend on
 * the start of the history and no provider is called for each row.
 */
const WARMUP_FACTOR = 4;
const EXTRA_BARS = 100;
const CACHED_BARS = 500;

export type RulePorts = Pick<Ports, "symbols" | "bars"> & { readonly signal: AbortSignal };

/** Rows for which a rule holds, and notes on the rows for which it is unknown. */
interface RuleMatches {
  readonly rows: readonly EngineRow[];
  readonly notes: readonly string[];
}

/**
 * Parses the rule of a screen. `sectors` are those of the rows. @throws ToolError INVALID_INPUT listing every problem
 */
export function parseScreenRule(text: string, sectors: readonly string[]): ScreenRule {
  const rule = screenRuleOf(text, { sectors, readSector: (name) => String(readSector(name)) });
  if ("plan" in rule) return rule;
  const messages = rule.problems.map(({ message }) => message);
  throw new ToolError("INVALID_INPUT", messages.join("; "), {
    hint: `Join conditions by "and": "rsi(14) < 30 and grade >= B and odds(target1) > 0.4". Names: "${SCREEN_NAMES.join(", ")}".`,
    data: { errors: messages.map((detail) => ({ pointer: "/rules", detail })) },
  });
}

/**
 * Returns the rows for which the rule holds at their close. Rows are left out, with a note, if their bars cannot be
 * read. Rejects with UPSTREAM_UNAVAILABLE if no bars could be read because the providers are unavailable.
 */
export async function rowsByRule(
  rule: ScreenRule,
  rows: readonly EngineRow[],
  { symbols, bars, signal }: RulePorts,
): Promise<RuleMatches> {
  const held = new Set<EngineRow>();
  const unread: string[] = [];
  let outage: ToolError | null = null;
  const evaluate = (row: EngineRow, series: Bars | null) => {
    if (holdsFor(rule, fieldsOf(row), series)) held.add(row);
  };
  const read = async (row: EngineRow): Promise<Bars | null> => {
    const instrument = symbols.find(unambiguousSymbol(row))?.instrument;
    if (instrument === undefined) return null;
    const wanted = Math.min(CACHED_BARS, WARMUP_FACTOR * rule.minBars + EXTRA_BARS);
    const limit = Math.max(rule.minBars, wanted);
    const series = await bars.history(instrument, {
      timeframe: "1d",
      limit,
      asOf: Date.parse(row.as_of),
      signal,
    });
    return series.as_of === row.as_of ? series.bars : null;
  };
  await forEachConcurrent(MAX_CONCURRENT, rows, async (row) => {
    signal.throwIfAborted();
    if (isBusy()) await yieldToEventLoop();
    if (rule.minBars === 0) return evaluate(row, null);
    const series = await read(row).catch((cause: unknown) => {
      const error = asToolError(cause);
      if (isCallError(error) || error.code === "INTERNAL") throw cause;
      if (error.code === "UPSTREAM_UNAVAILABLE") outage = error;
      return null;
    });
    if (series === null) unread.push(row.symbol);
    else evaluate(row, series);
  });
  if (outage !== null && unread.length === rows.length) throw outage;
  const notes = [...unreadNotes(unread), ...(rule.readsOdds ? noOddsNotes(rows) : [])];
  return { rows: rows.filter((row) => held.has(row)), notes };
}

const MAX_NAMED = 10;
const unreadNotes = (unread: readonly string[]): readonly string[] =>
  unread.length === 0
    ? []
    : [
        `Rows left out: ${unread.length}; no bars up to the close of the run for ${unread.toSorted().slice(0, MAX_NAMED).join(", ")}${unread.length > MAX_NAMED ? " and others" : ""}`,
      ];

/** Returns a note on the number of rows without odds, on which no condition on odds holds. */
function noOddsNotes(rows: readonly EngineRow[]): readonly string[] {
  const count = rows.filter(({ odds }) => odds === null).length;
  if (count === 0) return [];
  return [
    `${count === 1 ? "1 row has" : `${count} rows have`} no odds: too few bars, a suspected split or a run of an earlier version`,
  ];
}

const fieldsOf = (row: EngineRow): Parameters<typeof holdsFor>[1] => ({
  numbers: {
    score: row.score,
    stage: row.stage,
    rr: row.rr,
    entry: row.entry,
    stop: row.stop,
    target: row.targets[0] ?? null,
    ics_score: row.ics.score,
    "odds(stop)": row.odds?.stop_first ?? null,
    "odds(target1)": row.odds?.target_first ?? null,
    "odds(neither)": row.odds?.neither ?? null,
  },
  words: {
    grade: row.grade,
    direction: row.direction,
    bias: row.direction,
    phase: row.wyckoff.phase,
    tier: row.tier,
    asset_class: row.asset_class,
    sector: row.sector,
  },
});
