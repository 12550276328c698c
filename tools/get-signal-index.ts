import { z } from "zod";
import { MarketMode, StaleNotes, Success } from "../src/domain/answers.ts";
import { type EngineRun, IndexPart, MarketIndexValue } from "../src/domain/nightly/engine.ts";
import { RunNote } from "../src/domain/nightly/scan.ts";
import { newestRun, noRunError } from "../src/features/nightly/newest-run.ts";
import { runNote, runNotes, staleRunNotes } from "../src/features/nightly/run-notes.ts";
import { waitForRun } from "../src/features/nightly/wait-for-run.ts";
import { formatIndex } from "../src/features/signal/lists.text.ts";
import { withStaleNotes } from "../src/features/signal/notes.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the market sentiment index of the newest nightly run over stocks. */
export const getSignalIndex = defineTool({
  name: "get_signal_index",
  title: "Get signal index",
  description:
    "Returns the Signal Index (SSI): the daily sentiment index of the whole stock market, 0-100 from extreme fear to extreme greed, by the newest nightly run. Use it for the market mood of the day, crowd psychology, market-wide sentiment, or the SSI for a report. The live gauge is in get_service_index, one symbol in get_signal.",
  topics: [
    "signal index",
    "ssi",
    "fear and greed",
    "market sentiment",
    "market mood",
    "extreme fear",
    "extreme greed",
    "crowd psychology",
    "sentiment index",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/signal-index",
  cli: { command: "index" },
  needs: ["engineRuns", "clock", "market"],
  input: z.object({}),
  output: z.object({
    ok: Success,
    value: z
      .number()
      .nullable()
      .describe("0 (extreme fear) to 100 (extreme greed); null with fewer than five parts"),
    band: MarketIndexValue.shape.band,
    parts: z.array(IndexPart),
    history: MarketIndexValue.shape.history
      .unwrap()
      .describe("Of 60 sessions, oldest first; old ones rank in fewer days"),
    as_of: z.iso.datetime().describe("Close of the trading day it refers to"),
    run: RunNote,
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    market: MarketMode,
  }),
  examples: [{ ask: "How greedy is the market?", input: {} }],
  terminal: formatIndex,
  view: { name: "dial" },

  ready: (_, { engineRuns }, signal) =>
    waitForRun(async () => isUsable(await newestRun("stocks", { engineRuns })), engineRuns.ongoing, signal),

  async handler(_, { engineRuns, clock, market }) {
    const run = await newestRun("stocks", { engineRuns });
    if (!isUsable(run)) throw await noRunError(["stocks"], { engineRuns, clock, market });
    if (run.index === null)
      throw new ToolError("NOT_ENOUGH_DATA", "The newest run has no index: bars of SPY are missing", {
        hint: "The market needs SPY, TLT and at least 20 stocks with 400 daily bars each.",
      });
    const { history = [], ...index } = run.index;
    return {
      ...index,
      history,
      run: runNote(run, clock.now()),
      ...withStaleNotes(staleRunNotes([run], clock.now()), [
        ...(run.index.value === null ? ["Fewer than five parts have data, so there is no value"] : []),
        ...runNotes([run], clock.now()),
      ]),
      market: market.mode,
    };
  },
});

/** Returns true for a run whose index is computed, or that has ended without one. */
const isUsable = (run: EngineRun | null): run is EngineRun =>
  run !== null && (run.runAt !== null || run.index !== null);
