import { z } from "zod";
import { Showcase } from "../src/domain/card.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { cardOf } from "../src/signals/card.ts";
import { pricedPictureOf } from "../src/signals/price.ts";

const REFRESH_SECONDS = 60;

/** One configured symbol's card for a public widget, made at most once a minute for everybody. */
export const getDemo = defineTool({
  name: "get_demo",
  title: "Get demo card",
  description:
    "The public demo: the signal card of one fixed symbol, refreshed every 60 seconds, no key needed. Use for a widget or a first look. For any symbol of your choice use get_signal.",
  toolset: "signal",
  plan: "open",
  effect: "read",
  route: "GET /api/v1/demo",
  listed: false,
  showcase: true,
  cacheSeconds: REFRESH_SECONDS,
  needs: ["symbols", "bars", "quotes", "clock", "cache", "market"],
  input: z.object({}),
  output: z.object({
    ok: z.literal(true),
    ...Showcase.shape,
    refresh_seconds: z.number().int(),
  }),
  examples: [{ ask: "Show me the demo signal", input: {} }],

  handler(_, ctx) {
    return ctx.cache.remember(`demo|${ctx.market.id}`, REFRESH_SECONDS * 1000, async () => {
      const symbol = ctx.market.demo ?? ctx.symbols.members()[0]?.symbol;
      if (symbol === undefined)
        throw new ToolError("NOT_ENOUGH_DATA", "This market has no symbol to show", {
          hint: "DEMO_SYMBOL names one.",
        });
      const refreshedAt = ctx.clock.now().toISOString();
      const picture = await pricedPictureOf(
        { symbol, timeframe: "1d", signal: new AbortController().signal },
        ctx,
      );
      return {
        ok: true as const,
        symbol: picture.resolution.instrument.symbol,
        data: cardOf(picture),
        refreshed_at: refreshedAt,
        refresh_seconds: REFRESH_SECONDS,
      };
    });
  },
});
