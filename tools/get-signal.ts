import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Caveats,
  Detail,
  Iso,
  named,
  StaleNotes,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { EventRisk } from "../src/domain/earnings/calendar.ts";
import { Score } from "../src/domain/figures.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { ProvenanceDetail } from "../src/domain/market/provenance.ts";
import { ChartedAnswerFields } from "../src/domain/pictured.ts";
import { ConflictFields } from "../src/domain/signal/conflicts.ts";
import { DriverRow, Signal, SignalInput, TargetR } from "../src/domain/signal/signal.ts";
import { ElliottBlock, WyckoffBlock } from "../src/domain/signal/structure.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { freshResult } from "../src/features/nightly/run-notes.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { conflictFields } from "../src/features/signal/conflict-fields.ts";
import { evidenceOf } from "../src/features/signal/evidence.ts";
import { servedSignal } from "../src/features/signal/logged.ts";
import {
  agedBars,
  lateBarNotes,
  otherFileNotes,
  staleBarNotes,
  withStaleNotes,
} from "../src/features/signal/notes.ts";
import { provenanceFields } from "../src/features/signal/origins.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { pricedPictureOf } from "../src/features/signal/price.ts";
import { formatSignal } from "../src/features/signal/signal.text.ts";
import { driverRows, planLevels, reasonsFor, signalBlock } from "../src/features/signal/signal-block.ts";
import { inputsSince } from "../src/features/signal/signal-inputs.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the consensus signal of one symbol, with inputs, times and providers. */
export const getSignal = defineTool({
  name: "get_signal",
  title: "Get consensus signal",
  description:
    "Returns the trading signal of one US stock, ETF or crypto pair: a verdict to buy, sell or wait (LONG, SHORT, WAIT) with grade, score, confidence, entry, stop, targets and reward-to-risk. Use it for whether I should buy or sell now, your call or recommendation, or a trade plan with levels: where to enter, take profit and put the stop loss. Reasons are in explain_signal, the price in get_quote.",
  topics: [
    "trading signal",
    "action card",
    "consensus signal",
    "signal confidence",
    "component scores",
    "signal tier",
    "should i buy",
    "should i sell",
    "buy or sell",
    "entry zone",
    "reward to risk",
    "risk reward",
    "letter grade",
    "trade plan",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/signals/:symbol",
  cli: { command: "signal", everyday: "Says LONG, SHORT or WAIT, with entry, stop and targets." },
  resource: {
    template: "signal://{symbol}/{timeframe}",
    title: "Signal of a symbol",
    description:
      "The consensus signal of one symbol and timeframe, such as signal://AAPL/1d or signal://BTC-USD/4h. Subscribe to be notified when its direction or grade changes.",
  },
  needs: [...PICTURE_PORTS, "quotes", "signalLog", "trackRecord", "earnings", "marketDays", "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    as_of: AsOf.optional(),
    detail: Detail,
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    success: Success,
    request_id: z.uuid(),
    server_time: Iso,
    data_as_of: Iso.describe("Time of the price, or close time of the decision bar without a price"),
    data: z.object({
      signal: Signal.extend(ConflictFields),
      wyckoff: WyckoffBlock,
      elliott: ElliottBlock,
      event_risk: EventRisk,
      ...ChartedAnswerFields,
      engine_available: z.boolean(),
      engine: z
        .object({
          run_id: z.string(),
          runAt: Iso,
          score: Score.nullable(),
          grade: z.string().nullable(),
          direction: z.string(),
        })
        .optional()
        .describe("Result of the nightly run; absent if older than 24 hours"),
      inputs: z
        .array(SignalInput)
        .optional()
        .describe("What the signal was computed from, and since when; only with detail full"),
      reasons: z.array(z.string()).describe("The strongest drivers for and against, in words"),
      target_r: TargetR.optional().describe("Targets in multiples of the risk; only with detail full"),
      drivers: z.array(DriverRow).optional().describe("All 29 driver values; only with detail full"),
      notes: Caveats,
      stale_notes: StaleNotes,
      alternatives: Alternatives,
    }),
  }),
  examples: [
    { ask: "What is the signal on Apple?", input: { symbol: "AAPL" } },
    { ask: "Is bitcoin a buy on the 4-hour chart?", input: { symbol: "BTC-USD", timeframe: "4h" } },
    {
      ask: "What did the signal on SPY say at the end of 2025?",
      input: { symbol: "SPY", as_of: "2025-12-31" },
    },
  ],
  tasks: ["signal_analysis"],
  terminal: formatSignal,

  async handler({ symbol, timeframe, as_of, detail, provenance }, ctx) {
    const { clock, engineRuns, market, requestId } = ctx;
    const ahead = startEventRisk({ symbol, as_of, signal: ctx.signal }, ctx);
    const picture = await pricedPictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    const { instrument, alternatives } = picture.resolution;
    const evidence = await evidenceOf({ ...picture, instrument, past: as_of !== undefined }, ctx);
    ctx.signalLog.record(servedSignal(picture));
    const { inputs, notes: inputNotes } = inputsSince(picture, ctx.signalLog);
    const now = clock.now();
    const engine =
      as_of === undefined ? freshResult(await engineRuns.latest(instrument.symbol, timeframe), now) : null;
    const event_risk = await ahead(picture);
    const conflicts = conflictFields(picture, { price: picture.price.value, risk: event_risk });
    return {
      request_id: requestId,
      server_time: now.toISOString(),
      data_as_of: picture.price.as_of ?? picture.decidedAt,
      data: {
        signal: { ...signalBlock(picture, evidence), ...conflicts },
        wyckoff: picture.structure.wyckoff,
        elliott: picture.structure.elliott,
        event_risk,
        ...provenanceFields(picture, { market, now, detail: provenance }),
        engine_available: engine !== null,
        ...(engine !== null && { engine }),
        reasons: reasonsFor(picture),
        ...(detail === "full" && {
          inputs,
          target_r: planLevels(picture.consensus).target_r,
          drivers: driverRows(picture),
        }),
        ...withStaleNotes(staleBarNotes(agedBars(picture)), [
          ...lateBarNotes(picture, now),
          ...barNotes(picture.series),
          ...otherFileNotes(picture),
          ...inputNotes,
        ]),
        alternatives: alternatives.map(named),
      },
    };
  },
});
