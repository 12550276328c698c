import { z } from "zod";
import { Iso } from "../answers.ts";
import { BacktestRules } from "../backtest/backtest.ts";
import { Timeframe, TimeframeText } from "../market/bars.ts";
import { ofKind } from "../recognisers/field-kinds.ts";
import { MAX_SYMBOLS } from "../requests/task.ts";
import { Amount, Positive } from "../trading/trading.ts";

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;
const DAY_S = UNITS.d;
/** Minimum and maximum time between two runs, seconds. */
export const MIN_INTERVAL_S: number = UNITS.m;
const MAX_INTERVAL_S = 30 * DAY_S;

/** Parses a length of time such as `90m`, `4h` or `1d` to seconds; null for any other text. */
export function secondsOf(text: string): number | null {
  const [, count, unit] = /^(\d{1,6}) ?([smhdw])$/.exec(text.trim().toLowerCase()) ?? [];
  return count === undefined ? null : Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Formats a length of time in the largest unit that divides it evenly. */
export function everyText(seconds: number): string {
  const [unit, size] = (["d", "h", "m", "s"] as const)
    .map((name) => [name, UNITS[name]] as const)
    .find(([, length]) => seconds % length === 0)!;
  return `${seconds / size}${unit}`;
}

/** Time between two runs of an agent. A whole number of days means runs on daily bars. */
export const Every = ofKind(z.string(), "duration")
  .trim()
  .max(12)
  .refine((text) => secondsOf(text) !== null, "must be a length of time such as 90m, 4h or 1d")
  .refine((text) => (secondsOf(text) ?? MIN_INTERVAL_S) >= MIN_INTERVAL_S, "must be at least 1m, one minute")
  .refine((text) => (secondsOf(text) ?? 0) <= MAX_INTERVAL_S, "must be at most 30d, 30 days")
  .describe(
    "Time between runs, 1m to 30d: 90m, 4h, 1d. 1d means once per daily bar: stocks 5 minutes after the next open, crypto at 00:10 UTC.",
  );

export const AgentName = z
  .string()
  .trim()
  .regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    "must be 1 to 40 characters of a-z, 0-9, - and _, beginning with a letter",
  )
  .describe("Name of an agent: at most 40 characters, a-z, 0-9, - and _");
export const AgentId = z
  .string()
  .regex(/^ag_[0-9a-f]{20}$/, "must be an id returned by start_agent: ag_ and 20 hexadecimal digits")
  .describe("Agent id returned by start_agent");

/** State of a started agent. finished: its budget is spent; failed: it could not continue. */
export const AgentState = z.enum(["running", "stopped", "finished", "failed"]);
export type AgentState = z.infer<typeof AgentState>;

/** Input given when the agent was started, by field. */
export const AgentInput = z.record(z.string(), z.unknown());
export type AgentInput = z.infer<typeof AgentInput>;

/** An agent that was started, as its owner sees it. */
export const AgentInstance = z.object({
  agent_id: z.string(),
  agent: z.string().describe("Name of the agent"),
  tool: z.string().describe("The tool that each run calls"),
  state: AgentState,
  reason: z.string().nullable().describe("Why it is not running; null while it is"),
  every: z.string().describe("Time between runs, such as 4h or 1d"),
  runs_at: z
    .enum(["interval", "session_open", "utc_midnight"])
    .describe(
      "interval: counted from the start. Daily bars: session_open (5 minutes after the next open) or utc_midnight (00:10 UTC)",
    ),
  input: AgentInput,
  dry_run: z.boolean().describe("true: it decides but places no orders"),
  budget: z
    .object({ limit: Amount, spent: Amount, left: Amount })
    .nullable()
    .describe("Budget for its purchases in USD; null: no limit of its own"),
  started_at: Iso,
  next_run: Iso.nullable().describe("null if it is not running"),
  last_run: Iso.nullable().describe("When its last run ended; null before the first run"),
  failures: z.number().int().describe("Consecutive failed runs; 5 stop the agent"),
});
export type AgentInstance = z.infer<typeof AgentInstance>;

/** An agent's decision on one symbol, with the agent's own fields. */
export const DecisionShown = z.looseObject({
  symbol: z.string(),
  action: z.enum(["buy", "sell", "hold"]),
  why: z.string(),
  held: Amount.nullable().optional().describe("Units held before the run; null without a connection"),
  trade: z.looseObject({ cost: Amount.nullable() }).nullable().optional().describe("As previewed"),
  order: z.looseObject({ order_id: z.string() }).nullable().optional().describe("Order placed; null if none"),
  refused: z
    .looseObject({ code: z.string(), message: z.string() })
    .nullable()
    .optional()
    .describe("Why no order was placed"),
});
export type DecisionShown = z.infer<typeof DecisionShown>;

export const AgentRun = z.object({
  run_id: z.string().describe("Derived from the agent and the due time, so a resumed run has the same id"),
  agent_id: z.string(),
  agent: z.string(),
  due_at: Iso,
  started_at: Iso,
  ended_at: Iso.nullable().describe("null while it runs, or if it was interrupted and not yet resumed"),
  outcome: z.enum(["running", "done", "failed"]),
  resumed: z.boolean().describe("true: an earlier attempt was interrupted"),
  missed: z.number().int().describe("Number of earlier missed runs that this run replaces"),
  reason: z.string().nullable().describe("Why it failed"),
  decisions: z.array(DecisionShown),
  notes: z.array(z.string()),
});
export type AgentRun = z.infer<typeof AgentRun>;

const Group = BacktestRules.shape.entry;

/** Definition of a custom agent: entry and exit rules, size and interval. */
export const CustomAgent = z
  .object({
    name: AgentName,
    symbols: z.array(z.string().trim().min(1).max(40)).min(1).max(MAX_SYMBOLS).describe("1 to 20 symbols"),
    timeframe: TimeframeText.default("1d"),
    entry: Group.describe(
      "Buys when all of `all`, any of `any` and none of `none` hold: rules as in run_backtest",
    ),
    exit: Group.describe(
      "Sells the whole position of the symbol when these rules hold, combined as in entry",
    ),
    stop: ofKind(z.string().max(20), "level")
      .optional()
      .describe("Distance of the stop: `2 atr` or `5 %` from the close"),
    target: ofKind(z.string().max(20), "level")
      .optional()
      .describe("Distance of the target, in the same form"),
    limit: ofKind(z.string().max(20), "level")
      .optional()
      .describe("Buys that far below the close, within the day; with 1d"),
    sizing: z
      .strictObject({
        quantity: Positive.optional().describe("Units of each purchase, as text or number"),
        risk_pct: Positive.optional().describe("Percent of equity each purchase risks, as text or number"),
      })
      .describe("Exactly one of quantity and risk_pct"),
    every: Every.default("1d"),
    budget_usd: Positive.optional().describe(
      "Budget of all its purchases in USD, as text or number. Default: no limit.",
    ),
    dry_run: z.boolean().default(true).describe("true: it decides but places no orders"),
  })
  .strict();
export type CustomAgent = z.infer<typeof CustomAgent>;

export const SavedAgent = z.object({
  name: z.string(),
  definition: CustomAgent,
  saved_at: Iso.describe("When it was first saved"),
  changed_at: Iso,
  in_slot: z.boolean().describe("false: the plan now has fewer slots, so it does not run"),
});
export type SavedAgent = z.infer<typeof SavedAgent>;

export const AgentSlots = z.object({
  limit: z.number().int().describe("Of the plan"),
  used: z.number().int(),
  left: z.number().int(),
});
export type AgentSlots = z.infer<typeof AgentSlots>;

/**
 * run_backtest input that tests a saved agent on past bars; has a size only if the agent trades a fixed
 * number of units.
 */
export const AgentBacktest = z
  .object({
    symbols: z.array(z.string()),
    strategy: z.literal("rules"),
    rules: BacktestRules,
    timeframe: Timeframe,
    sizing: z.literal("units").optional(),
    size: z.number().optional(),
  })
  .describe("run_backtest input that tests the same rules on past bars");
export type AgentBacktest = z.infer<typeof AgentBacktest>;
export const backtestOf = ({
  symbols,
  timeframe,
  entry,
  exit,
  stop,
  target,
  limit,
  sizing,
}: CustomAgent): AgentBacktest => ({
  symbols,
  strategy: "rules",
  timeframe,
  rules: {
    entry,
    exit,
    ...(stop !== undefined && { stop }),
    ...(target !== undefined && { target }),
    ...(limit !== undefined && { limit }),
  },
  ...(sizing.quantity !== undefined && { sizing: "units" as const, size: Number(sizing.quantity) }),
});
