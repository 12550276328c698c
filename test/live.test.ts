import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Timeframe } from "../src/domain/market/bars.ts";
import type { AssetClass, MarketState, PriceSource } from "../src/domain/market/market.ts";
import type { Provenance, Session } from "../src/domain/market/provenance.ts";
import type { InputOf, OutputOf, Tool } from "../src/kernel/tool.ts";
import { rounded } from "../src/lib/rounded.ts";
import { barCloseMs } from "../src/market/calendar/calendar.ts";
import { zoneFor } from "../src/market/prices/sanitize-bars.ts";
import { getHealth } from "../tools/get-health.ts";
import { getHistory } from "../tools/get-history.ts";
import { getQuote } from "../tools/get-quote.ts";
import { getSignal } from "../tools/get-signal.ts";
import type { Installation } from "./support/installation.ts";
import { contractsSaved, near, requestCounts, stageAt, trueBars } from "./support/live.ts";
import { suiteDir } from "./support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "./support/transport-clients.ts";
import { KEYLESS, KEYLESS_PRICES } from "./support/vendors.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type Listed = readonly [symbol: string, asset_class: AssetClass, name: string];
/** Kinds of instruments, and what each is listed as. `LINK` is a stock, `LINK-USD` a token. */
const LISTED: readonly Listed[] = [
  ["AAPL", "equity", "Apple"],
  ["SPY", "etf", "SPDR S&P 500 ETF"],
  ["BRK.B", "equity", "Berkshire Hathaway B"],
  ["BTC-USD", "crypto", "Bitcoin"],
  ["LINK", "equity", "Interlink Electronics"],
  ["LINK-USD", "crypto", "Chainlink"],
];
const LENGTHS = ["1d", "4h", "1h", "15m"] as const;
const BARS = 60;

/** A Thursday, 11:03 New York. */
const SESSION = "2026-11-19T16:03:20Z";

const suite = suiteDir();
const stage = stageAt(SESSION);
let installation: Installation;
let clients: readonly TransportClient[];
beforeAll(async () => {
  installation = await stage.open(suite.dir);
  clients = await openTransportClients(installation);
}, 60_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await installation.stop();
  suite.remove();
});

/** Fields that differ between calls: the first call reaches a provider, later ones the cache. */
const CALL_FIELDS = new Set(["request_id", "served_from"]);
const withoutCallFields = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, one) => (CALL_FIELDS.has(key) ? undefined : one));

/** The response, which must be the same over all these transports. */
async function answerOfAll<T extends Tool>(
  tool: T,
  input: InputOf<T>,
  clientsToCall: readonly TransportClient[] = clients,
): Promise<OutputOf<T>> {
  const detail = "detail" in tool.input.shape ? { detail: "full" } : {};
  const callOn = async (client: TransportClient): Promise<Record<string, unknown>> => {
    const answer = await client.call(tool, { ...(input as object), ...detail });
    if (!("data" in answer)) throw new Error(`${client.name} refuses ${tool.name}: ${answer.code}`);
    expect(JSON.stringify(answer.data)).not.toMatch(/sample/i);
    return answer.data;
  };
  const answers: Record<string, unknown>[] = [];
  for (const client of clientsToCall) answers.push(await callOn(client));
  const [first, ...others] = answers.map(withoutCallFields);
  for (const [i, other] of others.entries())
    expect(other, `${clientsToCall[i + 1]!.name} compared with ${clientsToCall[0]!.name}`).toEqual(first);
  return answers[0] as OutputOf<T>;
}

/** Expects the provenance of a live response. */
function expectProvenance(
  provenance: Pick<Provenance, "provider" | "fetched_at" | "tried">,
  [, asset_class]: Listed,
): void {
  const { provider, fetched_at, tried = [] } = provenance;
  expect(requestCounts(stage.replay)[provider]).toBeGreaterThan(0);
  const age = stage.clock.at() - Date.parse(fetched_at);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(15 * MINUTE);
  expect(tried).toContainEqual({ provider, outcome: "answered", ms: expect.any(Number) });
  expect(provenance).toMatchObject({
    currency: "USD",
    stale: false,
    volume_unit: asset_class === "crypto" ? "tokens" : "shares",
    served_from: expect.stringMatching(/^(provider|memory)$/),
  });
}

/** Compares the current quote over these transports with the true one. */
async function quoteOf(listed: Listed, liveness: Liveness, clientsToCall: readonly TransportClient[]) {
  const [symbol, asset_class] = listed;
  const answer = await answerOfAll(getQuote, { symbol, provenance: "full" }, clientsToCall);
  const { data, provenance } = answer;
  const trade = stage.world.trade(symbol)!;
  expect(answer).toMatchObject({ symbol, asset_class });
  expectProvenance(provenance, listed);
  expect(near(data.price, trade.price, asset_class), `${data.price}, in truth ${trade.price}`).toBe(true);
  expect(Math.abs(Date.parse(data.timestamp) - trade.at)).toBeLessThan(MINUTE);
  const { session, ...state } = asset_class === "crypto" ? CRYPTO : liveness;
  expect(data).toMatchObject({ ...state, source: provenance.provider, delayed_minutes: 0, currency: "USD" });
  expect(provenance).toMatchObject({
    as_of: data.timestamp,
    delay_minutes: 0,
    adjustment: "raw",
    session,
    venue: answer.venue,
  });
  if (session === "regular") {
    const { open, high, low, volume, previousClose } = trade;
    expect(data).toMatchObject({ open, high, low, volume });
    expect(data.change).toBeCloseTo(data.price - previousClose, 6);
    expect(data.changePercent).toBe(rounded(100 * (data.price / previousClose - 1), 2));
  }
  return answer;
}

/** Compares the newest bars of one timeframe over these transports with the true ones. */
async function barsOf(listed: Listed, timeframe: Timeframe, clientsToCall: readonly TransportClient[]) {
  const [symbol, asset_class] = listed;
  const input = { symbol, timeframe, limit: BARS, provenance: "full" } as const;
  const answer = await answerOfAll(getHistory, input, clientsToCall);
  const truth = trueBars(stage.world, symbol, timeframe, BARS).toReversed();
  expect(answer.bars.map(({ datetime }) => Date.parse(datetime))).toEqual(truth.map(({ time }) => time));
  for (const [i, bar] of answer.bars.entries())
    for (const field of ["open", "high", "low", "close"] as const)
      expect(near(bar[field], truth[i]![field], asset_class), `${bar.datetime} ${field} ${bar[field]}`).toBe(
        true,
      );
  expectProvenance(answer.provenance, listed);
  const adjustment = asset_class === "crypto" ? "raw" : "split";
  const closed = barCloseMs(truth[0]!.time, timeframe, zoneFor(asset_class));
  expect(answer).toMatchObject({ symbol, asset_class, adjustment, source: answer.provenance.provider });
  expect(answer.provenance).toMatchObject({
    as_of: new Date(closed).toISOString(),
    session: asset_class === "crypto" ? "24h" : "regular",
    adjustment,
    venue: answer.venue,
  });
  return answer;
}

/** Compares the signal on daily bars over these transports; the caller checks its price. */
async function signalOf(listed: Listed, clientsToCall: readonly TransportClient[]) {
  const [symbol, asset_class] = listed;
  const { contractHistory, symbols } = installation.app.ports;
  // The first signal would start this request, and later responses would differ from the first.
  contractHistory.requestSnapshot(symbols.resolve(symbol).instrument);
  await contractsSaved({ stage, installation }, symbol);
  const { data, data_as_of } = await answerOfAll(getSignal, { symbol, provenance: "full" }, clientsToCall);
  const decided = trueBars(stage.world, symbol, "1d", 1)[0]!;
  const closed = new Date(barCloseMs(decided.time, "1d", zoneFor(asset_class))).toISOString();
  expect(data).toMatchObject({ asset_class, market: "live", bars: { as_of: closed } });
  expect(data.signal).toMatchObject({ symbol, timeframe: "1d" });
  expect(data.drivers!.length).toBeGreaterThan(20);
  expectProvenance(data.provenance.bars, listed);
  expectProvenance(data.provenance.price!, listed);
  return { ...data, data_as_of, closed };
}

/** Expected state of the price of a stock or fund at a given time. */
interface Liveness {
  readonly price_source: PriceSource;
  readonly market_state: MarketState;
  readonly session: Session;
}
const CRYPTO = { price_source: "live_quote", market_state: "always_open", session: "24h" } as const;
const MOMENTS: readonly (readonly [when: string, moment: string, stocks: Liveness])[] = [
  [
    "within the session",
    SESSION,
    { price_source: "live_quote", market_state: "regular", session: "regular" },
  ],
  [
    "before the open",
    "2026-11-20T13:03:20Z",
    { price_source: "live_quote", market_state: "pre", session: "pre" },
  ],
  [
    "at the weekend",
    "2026-11-21T15:03:20Z",
    { price_source: "last_trade", market_state: "closed", session: "post" },
  ],
  [
    "within a half day",
    "2026-11-27T17:33:20Z",
    { price_source: "live_quote", market_state: "regular", session: "regular" },
  ],
  [
    "on the afternoon of a half day",
    "2026-11-27T18:33:20Z",
    { price_source: "live_quote", market_state: "post", session: "post" },
  ],
];

let rotation = 0;
describe.each(MOMENTS)("live prices %s", (_, moment, stocks) => {
  beforeAll(() => stage.to(moment));
  // Each test runs a minute later, so that rate limits are renewed and caches have expired.
  let minutes = 0;
  beforeEach(() => stage.to(new Date(Date.parse(moment) + ++minutes * MINUTE).toISOString()));

  it.each(LISTED)("are correct for %s: quote, bars and signal", async (...listed) => {
    const [symbol, asset_class] = listed;
    // Every transport once; then REST and one of the others in turn.
    const clientsToCall =
      moment === SESSION ? clients : [clients[0]!, clients[1 + (++rotation % (clients.length - 1))]!];
    await quoteOf(listed, stocks, clientsToCall);
    for (const length of LENGTHS) await barsOf(listed, length, clientsToCall);
    const { price, price_source, price_reason, market_state, data_as_of, closed } = await signalOf(
      listed,
      clientsToCall,
    );
    const expected = asset_class === "crypto" ? CRYPTO : stocks;
    expect({ price_source, market_state }).toEqual({
      price_source: expected.price_source,
      market_state: expected.market_state,
    });
    if (expected.price_source === "live_quote") {
      const trade = stage.world.trade(symbol)!;
      expect(near(price!, trade.price, asset_class)).toBe(true);
      expect(price_reason).toBeNull();
    } else {
      expect(price).toBeNull();
      expect(price_reason).toMatch(
        /^No live price: the last known trade is [\d.]+ USD at 2026-11-21T01:00:00\.000Z/,
      );
      expect(data_as_of).toBe(closed);
    }
  });
});

describe("endpoints related to live prices", () => {
  it("lists instruments by name, with the alternative reading of an ambiguous ticker", async () => {
    for (const [symbol, asset_class, name] of LISTED)
      expect(installation.app.ports.symbols.resolve(symbol).instrument).toMatchObject({
        symbol,
        asset_class,
        name,
      });
    const { alternatives } = await answerOfAll(getQuote, { symbol: "LINK" });
    expect(alternatives).toEqual([{ symbol: "LINK-USD", name: "Chainlink", asset_class: "crypto" }]);
  });

  it("reports the health of providers over every transport", async () => {
    const { status, market, providers } = await answerOfAll(getHealth, {});
    expect({ status, market }).toEqual({ status: "healthy", market: "live" });
    // Names of providers of other data contain a space.
    const priced = providers.filter(({ name }) => !name.includes(" "));
    expect(priced.map(({ name }) => name).sort()).toEqual(KEYLESS_PRICES);
    for (const { name, healthy, last_success, breaker } of priced) {
      expect({ name, healthy, breaker }).toEqual({ name, healthy: true, breaker: "closed" });
      expect(stage.clock.at() - Date.parse(last_success!)).toBeLessThan(HOUR);
      expect(requestCounts(stage.replay)[name]).toBeGreaterThan(0);
    }
    const vendors = providers.map(({ name }) => name.split(" ")[0]!);
    expect(vendors.filter((name) => !KEYLESS.some((one) => one === name))).toEqual([]);
  });

  it("names the market in a header, also on a refusal", async () => {
    const { key } = await installation.key("pro");
    const get = (path: string) =>
      fetch(`${installation.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    for (const path of ["/api/v1/quote/AAPL", "/api/v1/history/SPY", "/api/v1/signals/BTC-USD"])
      expect((await get(path)).headers.get("market-data")).toBe("live");
    const unknown = await get("/api/v1/quote/ZZZZQ");
    expect([unknown.status, unknown.headers.get("market-data")]).toEqual([422, "live"]);
  });

  it("calls no provider whose key is not set", () => {
    const called = Object.entries(requestCounts(stage.replay)).filter(([, calls]) => calls > 0);
    const names = called.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining([...KEYLESS_PRICES]));
    expect(names.filter((name) => !KEYLESS.some((one) => one === name))).toEqual([]);
  });
});
