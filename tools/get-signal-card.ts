import { z } from "zod";
import { Success, SymbolText } from "../src/domain/answers.ts";
import { EventRisk } from "../src/domain/earnings/calendar.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { Card, FlatCard, flatCardOf } from "../src/domain/signal/card.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { formatCard } from "../src/features/signal/card.text.ts";
import { servedSignal } from "../src/features/signal/logged.ts";
import { otherFileNotes } from "../src/features/signal/notes.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { pricedPictureOf } from "../src/features/signal/price.ts";
import { cardOf } from "../src/features/signal/signal-block.ts";
import { inputsSince } from "../src/features/signal/signal-inputs.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the same signal as get_signal, in both shapes that older clients read: in `data`, and flat beside it. */
export const getSignalCard = defineTool({
  name: "get_signal_card",
  title: "Get signal card (legacy)",
  description:
    "Returns the signal in the older, legacy format: verdict, tier, conviction, Wyckoff, Elliott wave and levels, in data and again as flat fields. Use it only when an old client reads that previous version; otherwise the signal is in get_signal.",
  topics: ["signal card", "legacy signal", "legacy card", "flat card", "older client"],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/signal",
  http: { names: { symbol: "sym" } },
  listed: false,
  view: { name: "signal", calls: ["get_history"] },
  needs: [...PICTURE_PORTS, "quotes", "signalLog", "earnings", "marketDays", "answers"],
  input: z.object({ symbol: SymbolText, timeframe: TimeframeText.default("1d") }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    data: Card.extend({ event_risk: EventRisk }),
    ...FlatCard.shape,
  }),
  examples: [{ ask: "Give me the signal card of Tesla", input: { symbol: "TSLA" } }],

  terminal: formatCard,

  async handler({ symbol, timeframe }, ctx) {
    const ahead = startEventRisk({ symbol, signal: ctx.signal }, ctx);
    const picture = await pricedPictureOf({ symbol, timeframe, signal: ctx.signal }, ctx);
    const { instrument } = picture.resolution;
    ctx.signalLog.record(servedSignal(picture));
    const { notes: inputNotes } = await inputsSince(picture, ctx.signalLog, { past: false });
    const event_risk = await ahead(picture);
    const card = cardOf(picture, event_risk);
    return {
      symbol: instrument.symbol,
      data: { ...card, notes: [...card.notes, ...otherFileNotes(picture), ...inputNotes], event_risk },
      ...flatCardOf(card),
    };
  },
});
