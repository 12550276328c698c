import { z } from "zod";
import { Success } from "../src/domain/answers.ts";
import { DemoCard } from "../src/domain/signal/card.ts";
import { formatCard } from "../src/features/signal/card.text.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { pricedPictureOf } from "../src/features/signal/price.ts";
import { cardOf } from "../src/features/signal/signal-block.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

const REFRESH_SECONDS = 60;
/** Cache key of the card that is shown to everyone. */
const PUBLIC_CARD = "demo";

const Demo = z.object({
  ok: Success,
  ...DemoCard.shape,
  refresh_seconds: z.number().int(),
});
type Demo = z.input<typeof Demo>;

/** Returns the card of one configured symbol for a public widget, computed at most once a minute for all callers. */
export const getDemo = defineTool({
  name: "get_demo",
  title: "Get demo card",
  description:
    "Returns the public demo: a free sample signal card of one fixed symbol, refreshed every 60 seconds, without registration or an API key. Use it for a website widget, a look at an example of the output, or for a first impression to try it before signing up. Another symbol is in get_signal.",
  topics: [
    "demo",
    "public demo",
    "sample card",
    "free sample",
    "without an api key",
    "without signing up",
    "website widget",
  ],
  toolset: "signal",
  plan: "open",
  effect: "read",
  route: "GET /api/v1/demo",
  listed: false,
  role: "demo",
  http: { cacheSeconds: REFRESH_SECONDS },
  needs: [...PICTURE_PORTS, "quotes"],
  input: z.object({}),
  output: Demo,
  examples: [{ ask: "Show me the demo signal", input: {} }],
  terminal: formatCard,

  async handler(_, ctx) {
    const { demoFor } = ctx.market;
    if (demoFor !== undefined && ctx.principal.plan === "open")
      return requireDemo(demoFor === "never" ? null : await ctx.cache.peek<Demo>(PUBLIC_CARD));
    // a card for a caller with a key may contain data that must not be shown to others
    const key = demoFor === undefined ? PUBLIC_CARD : `${PUBLIC_CARD}|keyed`;
    return ctx.cache.remember(key, REFRESH_SECONDS * 1000, async (): Promise<Demo> => {
      const symbol = ctx.market.demo ?? ctx.symbols.members()[0]?.symbol;
      if (symbol === undefined)
        throw new ToolError("NOT_ENOUGH_DATA", "This market has no symbols", {
          hint: "The owner of the server sets DEMO_SYMBOL.",
        });
      const refreshedAt = ctx.clock.now().toISOString();
      const picture = await pricedPictureOf(
        { symbol, timeframe: "1d", signal: new AbortController().signal },
        ctx,
      );
      return {
        symbol: picture.resolution.instrument.symbol,
        data: cardOf(picture),
        refreshed_at: refreshedAt,
        refresh_seconds: REFRESH_SECONDS,
      };
    });
  },
});

function requireDemo(demo: Demo | null): Demo {
  if (demo !== null) return demo;
  throw new ToolError("NOT_CONNECTED", "The demo card is not available", {
    hint: "With live prices it is computed in the background, and only from providers whose terms allow their data to be shown to others, such as crypto exchanges: the owner of the server sets DEMO_SYMBOL to a pair like BTC-USD. With an API key of this server, use get_signal.",
  });
}
