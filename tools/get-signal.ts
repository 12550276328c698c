import { z } from "zod";
import { AsOf, Detail, Iso, Success, SymbolText } from "../src/domain/answers.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { ProvenanceDetail } from "../src/domain/market/provenance.ts";
import { SignalData } from "../src/domain/signal/signal-data.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { freshResult } from "../src/features/nightly/run-notes.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { pricedPictureOf } from "../src/features/signal/price.ts";
import { serveSignal } from "../src/features/signal/serve-signal.ts";
import { formatSignal } from "../src/features/signal/signal.text.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { viewBarsInput } from "../src/lib/view-bars.ts";

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
  view: {
    name: "signal",
    calls: ["get_history"],
    firstCall: ({ data: { signal, bars } }) => ({
      name: "get_history",
      input: viewBarsInput({ ...signal, decidedAt: bars.as_of }),
    }),
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
    data: SignalData,
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
    const { clock, engineRuns, requestId } = ctx;
    const ahead = startEventRisk({ symbol, as_of, signal: ctx.signal }, ctx);
    const picture = await pricedPictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    const event_risk = await ahead(picture);
    const past = as_of !== undefined;
    const { symbol: found } = picture.resolution.instrument;
    const engine = past ? null : freshResult(await engineRuns.latest(found, timeframe), clock.now());
    const full = detail === "full";
    const data = await serveSignal(picture, { past, full, provenance, event_risk, engine }, ctx);
    return {
      request_id: requestId,
      server_time: clock.now().toISOString(),
      data_as_of: picture.price.as_of ?? picture.decidedAt,
      data,
    };
  },
});
