import { z } from "zod";
import { Count, MarketMode, StaleNotes, Success } from "../src/domain/answers.ts";
import { Score } from "../src/domain/figures.ts";
import { RunNote } from "../src/domain/nightly/scan.ts";
import { runNote, runNotes, staleRunNotes } from "../src/features/nightly/run-notes.ts";
import { runsKey, waitForWholeRuns, wholeRuns } from "../src/features/nightly/screen.ts";
import { serviceIndexOf } from "../src/features/nightly/service-index.ts";
import { withStaleNotes } from "../src/features/signal/notes.ts";
import { defineTool } from "../src/kernel/tool.ts";

const CACHE_TTL_MS = 60_000;

/** Returns market-wide sentiment and signal strength at current prices, computed at most once a minute. */
export const getServiceIndex = defineTool({
  name: "get_service_index",
  title: "Get service index",
  description:
    "Returns the service index (svc): one composite gauge, a number from 0 to 100, of sentiment and signal strength over the whole coverage of the engine, recomputed from live quotes once a minute. Use it for enterprise dashboards and polling that need one aggregate value in real time. The daily index is in get_signal_index, single names are in screen_universe.",
  topics: ["service index", "svc", "composite gauge", "enterprise dashboard", "market-wide signal strength"],
  toolset: "signal",
  plan: "enterprise",
  effect: "read",
  view: { name: "dial" },
  route: "GET /api/v1/index/svc",
  cli: { command: "svc" },
  listed: false,
  needs: ["engineRuns", "symbols", "quotes", "cache", "clock", "market"],
  input: z.object({}),
  output: z.object({
    ok: Success,
    value: Score.nullable().describe("0-100, 50 neutral; null with fewer than two parts"),
    parts: z.array(
      z.object({
        part: z.enum(["sentiment", "signal_strength", "breadth_now"]),
        value: Score.nullable().describe("0-100; null with reason"),
        reason: z.string().nullable(),
        as_of: z.iso
          .datetime()
          .nullable()
          .describe(
            "Daily close for sentiment, time of the prices for the other parts; null without a value",
          ),
      }),
    ),
    quotes: z.object({
      members: Count.describe("Members of the universe with a score"),
      requested: Count.describe("Members whose price was requested"),
      received: Count.describe("Current prices received; delayed and old prices are excluded"),
      closed: Count.describe("Signals whose stop or first target has been passed; they count as neutral"),
    }),
    computed_at: z.iso.datetime(),
    runs: z.array(RunNote).describe("Runs that the scores come from; stale runs are not used"),
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    market: MarketMode,
  }),
  terminal: ({ value, parts, quotes, computed_at, stale_notes = [] }, paint) =>
    [
      ...stale_notes.map((note) => paint("yellow", note)),
      `${paint("bold", "Service index")}  ${value === null ? "none" : value.toFixed(1)}`,
      ...parts.map(
        ({ part, value: figure, reason }) =>
          `  ${paint("dim", part.replaceAll("_", " ").padEnd(16))}${figure === null ? paint("dim", `none: ${reason}`) : figure.toFixed(1)}`,
      ),
      paint(
        "dim",
        `  ${quotes.received} of ${quotes.requested} members have a current price; computed ${computed_at}`,
      ),
    ].join("\n"),
  examples: [{ ask: "How strong are signals over the whole market right now?", input: {} }],

  ready: (_, ports, signal) => waitForWholeRuns(ports, signal),

  async handler(_, ctx) {
    const { cache, clock, market } = ctx;
    const runs = await wholeRuns(ctx);
    const key = `svc|${market.id}|${runsKey(runs)}`;
    const index = await cache.remember(key, CACHE_TTL_MS, () => serviceIndexOf(runs, ctx));
    return {
      ...index,
      runs: runs.map((run) => runNote(run, clock.now())),
      ...withStaleNotes(staleRunNotes(runs, clock.now()), runNotes(runs, clock.now())),
      market: market.mode,
    };
  },
});
