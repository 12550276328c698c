import { describe, expect, it } from "vitest";
import { getQuotes } from "../../tools/get-quotes.ts";
import { call, FIFTY, KEYS, type LiveStage, liveStage, near, requestTotal } from "../support/live.ts";

const ALPACA = { ALPACA_KEY_ID: KEYS.ALPACA_KEY_ID!, ALPACA_SECRET_KEY: KEYS.ALPACA_SECRET_KEY! };
const SINGLES = { PROVIDERS_OFF: "yahoo,alpaca" };

/** Requests quotes as the program does; returns the answer with the requests that the providers received meanwhile. */
async function counted(
  { stage, open }: ReturnType<typeof liveStage>,
  symbols: readonly string[],
  env: Record<string, string> = {},
) {
  const installation = await open(env);
  const before = requestTotal(stage.replay);
  const answer = await call(installation, getQuotes, { symbols: [...symbols] });
  return { ...answer, received: requestTotal(stage.replay) - before, installation };
}

const wrongOf = ({ world }: LiveStage, quotes: readonly { symbol: string; price: number }[]) =>
  quotes.filter(
    ({ symbol, price }) => !near(price, world.trade(symbol)!.price, world.instrument(symbol)!.asset_class),
  );

describe.each([
  ["in the session", "2026-01-15T16:00:00Z", "live_quote"],
  ["before the open", "2026-01-15T13:30:00Z", null],
  ["after the close", "2026-01-15T22:30:00Z", null],
  ["on a Saturday", "2026-01-17T16:00:00Z", null],
])("quotes of 50 symbols %s", (_, iso, source) => {
  const suite = liveStage(iso);

  it.each([
    // a cookie, a crumb, the list and the closes that witness it; each but the list is kept for the day
    ["Yahoo", {}, 4],
    ["Alpaca", { ...ALPACA, PROVIDERS_OFF: "yahoo" }, 3],
    ["Alpaca before Yahoo", ALPACA, 3],
    ["Finnhub, Alpaca and Yahoo", { ...ALPACA, FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN! }, 3],
  ])("take few calls by %s, and say how many", async (_name, env, most) => {
    const { quotes, errors, received, provider_calls } = await counted(suite, FIFTY, env);
    expect([quotes.length, errors]).toEqual([FIFTY.length, []]);
    expect(wrongOf(suite.stage, quotes)).toEqual([]);
    if (source !== null)
      expect(new Set(quotes.map(({ price_source }) => price_source))).toEqual(new Set([source]));
    expect(provider_calls).toBe(received);
    expect(received).toBeLessThanOrEqual(most);
  });
});

describe("quotes of a mixed list", () => {
  const suite = liveStage("2026-01-15T16:00:00Z");

  it("take one batch for stocks and funds, and single calls for coins only", async () => {
    const mixed = ["AAPL", "SPY", "BRK.B", "MSFT", "BTC-USD", "ETH-USD", "NVDAA"];
    const { quotes, errors, received, provider_calls, installation } = await counted(suite, mixed);
    expect(quotes.map(({ symbol }) => symbol)).toEqual(mixed.slice(0, -1));
    expect(errors).toMatchObject([{ symbol: "NVDAA", code: "UNKNOWN_SYMBOL" }]);
    expect(provider_calls).toBe(received);
    const again = await call(installation, getQuotes, { symbols: ["AAPL", "SPY"] });
    expect(again.provider_calls).toBe(0);
  });

  it("say how many calls they cost where only providers of single symbols answer", async () => {
    const { quotes, received, provider_calls } = await counted(suite, FIFTY.slice(0, 10), SINGLES);
    expect(quotes).toHaveLength(10);
    expect(provider_calls).toBe(received);
    expect(provider_calls).toBeGreaterThanOrEqual(10);
  });
});
