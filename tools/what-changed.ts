import { z } from "zod";
import { ALERT_LIMITS, WatchlistName } from "../src/domain/alerts/alerts.ts";
import { DriverMove, SignalChange, Verdict } from "../src/domain/alerts/changes.ts";
import {
  Alternatives,
  AsOf,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  named,
  Succeeded,
  symbolList,
  timeRange,
} from "../src/domain/answers.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { formatChanges } from "../src/features/alerts/alerts.text.ts";
import { findChanges } from "../src/features/alerts/what-changed.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { defineTool } from "../src/kernel/tool.ts";

const Side = Verdict.extend({ decided_at: Iso.describe("Close time of the decision bar") });
const MAX_CHANGES = 200;
const TIMES = timeRange("change, by the time it was noticed");

/**
 * Returns the signal changes since a point in time; for series that were not watched, compares the signal then and now.
 */
export const whatChanged = defineTool({
  name: "what_changed",
  title: "What changed",
  description:
    "Returns the signals that changed direction or grade since a time, on a watchlist or some symbols: before and after, the drivers that moved, price. Use it for what has changed, flipped, turned, been upgraded or downgraded since yesterday or last week, or what is new on my list overnight. create_subscription reports the next change, one signal is in get_signal.",
  topics: [
    "what changed",
    "changed since",
    "signals flipped",
    "upgraded or downgraded",
    "rating changes",
    "flipped overnight",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/signals/changes",
  http: {
    stream: {
      route: "GET /api/v1/signals/stream",
      title: "Signal changes as they happen",
      description: "Streams signal changes of the given symbols or a watchlist as they are detected.",
      sharedWith: "symbols",
    },
  },
  cli: { command: "changes", positionals: ["symbols"] },
  deadlineMs: 60_000,
  needs: [...PICTURE_PORTS, "changes", "watchlists", "subscriptions"],
  input: z.object({
    symbols: symbolList(ALERT_LIMITS.listed)
      .optional()
      .describe("At most 100. Default without a watchlist: all that this account watches."),
    watchlist: WatchlistName.optional().describe(
      "Name of a saved list with at most 100 symbols; alternative to symbols",
    ),
    timeframe: TimeframeText.default("1d"),
    since: AsOf.optional().describe(
      "Only changes after this time: ISO 8601 with zone, or a date. Default: 7 days ago. Alternative to from.",
    ),
    from: TIMES.from,
    to: TIMES.to,
    after: ofKind(z.string().max(80), "cursor")
      .optional()
      .describe("Cursor of the previous response; alternative to since and from"),
    limit: intBetween(1, MAX_CHANGES).default(50).describe("Maximum number of changes"),
    detail: Detail,
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso,
    since: Iso.nullable().describe("null: continued from a cursor"),
    changes: z.array(SignalChange).describe("Oldest first"),
    count: z.number().int().describe("Changes returned"),
    cursor: z.string().describe("Pass as `after` to get the next page"),
    more: z.boolean().describe("true: more changes are available"),
    watching: z
      .array(z.object({ symbol: z.string(), timeframe: Timeframe }))
      .describe("Series covered by changes"),
    coverage: z
      .array(
        z.object({
          symbol: z.string(),
          timeframe: Timeframe,
          known_from: Iso.nullable().describe("Time since which changes are recorded; null: not watched"),
          known_until: Iso.nullable().describe("Time of the last evaluation"),
        }),
      )
      .describe("Series whose changes since `since` are not all recorded; they are in `compared` instead"),
    compared: z
      .array(
        z.object({
          symbol: z.string(),
          timeframe: Timeframe,
          before: Side.nullable().describe("Signal at `since`, recomputed; null with reason"),
          after: Side.nullable().describe("Current signal, or that at `to`; null with reason"),
          changed: z.array(z.enum(["direction", "grade"])).describe("Empty: no difference"),
          drivers: z.array(DriverMove),
          reason: z.string().nullable(),
        }),
      )
      .describe(
        "Signal at `since` compared with the current one, for series that were not watched all the time; changes in between are not listed",
      ),
    notes: z.array(z.string()),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "What changed on Apple and Microsoft since Monday?",
      input: { symbols: ["AAPL", "MSFT"], since: "2026-01-12" },
    },
    {
      ask: "Has bitcoin's four-hour signal flipped this week?",
      input: { symbols: ["BTC-USD"], timeframe: "4h" },
    },
  ],
  terminal: formatChanges,

  async handler({ detail, ...request }, ctx) {
    const { account } = ctx.principal;
    const caller = { account, signal: ctx.signal };
    const { alternatives, changes, compared, ...page } = await findChanges(request, caller, ctx);
    const maxDrivers = detail === "concise" ? 3 : Number.POSITIVE_INFINITY;
    const shorten = <T extends { readonly drivers: readonly DriverMove[] }>(change: T) => ({
      ...change,
      drivers: change.drivers.slice(0, maxDrivers),
    });
    return {
      ...page,
      changes: changes.map(shorten),
      compared: compared.map((one) => shorten(one)),
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
