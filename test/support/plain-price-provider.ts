import { z } from "zod";
import { PROVIDER_TIMEFRAMES } from "../../src/domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  ProviderFailure,
} from "../../src/domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../../src/providers/shared/http-client.ts";
import { json, type Vendor } from "../replay/vendor.ts";

const KEY = "plain-key";

/** The simplest provider: returns the market unchanged, 200 rows at a time. */
export const plainVendor: Vendor = {
  name: "plain",
  key: KEY,
  latency: { p50: 1, p95: 1 },
  limits: [
    { ...json({ error: "slow" }, 429), headers: { "retry-after": "7" } },
    json({ error: "too many calls" }),
  ],
  unauthorised: [json({ error: "key" }, 401)],
  blocks: [{ status: 200, body: "<html>no</html>" }],
  answer({ path, query, headers }, world) {
    const [, what, symbol] = path.split("/");
    if (headers.get("x-key") !== KEY) return json({ error: "key" }, 401);
    if (world.instrument(symbol!) === null) return json({ error: "unknown symbol" }, 404);
    const head = { symbol, currency: "USD" };
    if (what === "trade") return json({ ...head, trade: world.trade(symbol!) });
    const range = { from: Number(query.get("from")), until: Number(query.get("until")) };
    const all = world.bars(
      symbol!,
      PROVIDER_TIMEFRAMES.find((length) => length === query.get("length"))!,
      range,
    );
    return json({ ...head, bars: all.slice(0, 200), more: all.length > 200 });
  },
};

const price = z.number().positive();
const Refusal = z.object({ error: z.string() });
const Head = z.object({ symbol: z.string(), currency: z.literal("USD") });
const Trade = Head.extend({
  trade: z.object({
    price,
    at: z.int(),
    previousClose: price,
    open: price,
    high: price,
    low: price,
    volume: z.number().nonnegative(),
  }),
});
const Page = Head.extend({
  bars: z.array(
    z.object({ time: z.int(), open: price, high: price, low: price, close: price, volume: z.number() }),
  ),
  more: z.boolean(),
});

/** A minimal price provider adapter. */
export function plainPriceProvider(setup: ProviderSetup): PriceProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? "https://plain.example",
    headers: { "x-key": KEY },
  });
  async function ask<T extends z.infer<typeof Head>>(
    what: string,
    symbol: string,
    shape: z.ZodType<T>,
    query: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
  ): Promise<T> {
    const { status, body } = await wire.json(`/${what}/${symbol}`, { query, signal, accept: [404] });
    const refusal = Refusal.safeParse(body);
    if (refusal.success && status === 404)
      throw new ProviderFailure("unknown_symbol", "it has no such symbol");
    if (refusal.success) throw new ProviderFailure("rate_limited", "it wants fewer calls");
    const read = shape.safeParse(body);
    if (!read.success || read.data.symbol !== symbol)
      throw new ProviderFailure("malformed", "a response to another request");
    return read.data;
  }
  const common = { volumeScope: "all_venues", venue: "US" } as const;
  return {
    name: "plain",
    serves: new Set(["equity", "etf", "crypto"]),
    budget: { calls: 10, perMs: 1000, atOnce: 2 },
    delayMinutes: 0,
    liveWithinMs: 60_000,
    reaches: Object.fromEntries(PROVIDER_TIMEFRAMES.map((length) => [length, Number.POSITIVE_INFINITY])),
    async latest({ symbol }, { signal }) {
      const { trade } = await ask("trade", symbol, Trade, {}, signal);
      const { at, ...price } = trade;
      return { ...price, ...common, tradedAt: at };
    },
    async history({ symbol }, { timeframe, from, until, signal }) {
      const bars: ProviderBar[] = [];
      for (let start = from, more = true; more; ) {
        const query = { length: timeframe, from: start, until };
        const page = await ask("bars", symbol, Page, query, signal);
        const [first, last] = [page.bars.at(0), page.bars.at(-1)];
        if (first !== undefined && first.time < start)
          throw new ProviderFailure("malformed", "bars before the requested start");
        if (page.more && (last === undefined || last.time < start))
          throw new ProviderFailure("malformed", "a page without a successor");
        bars.push(...page.bars);
        more = page.more;
        start = (last?.time ?? start) + 1;
      }
      return { bars, adjustment: "split", hours: "regular", ...common };
    },
  };
}
