import { describe, expect, it } from "vitest";
import { asInstrument } from "../../../src/domain/market/market.ts";
import { cboeIndices } from "../../../src/providers/cboe/indices.ts";
import { cboeVendor } from "../../replay/cboe.ts";
import { delayedLevel } from "../../replay/cboe-indices.ts";
import { indexWorld } from "../../replay/indices.ts";
import { fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { barsIn, kindOf, respondWith, signal } from "../requests.ts";

const full = indexWorld(fixedWorld());
const VIX = full.instrument("^VIX")!;
const GSPC = full.instrument("^GSPC")!;
const DAX = asInstrument({ symbol: "^GDAXI", name: "DAX" });
/** Only the VIX has quotes and history here. */
const world = { ...full, instruments: () => [VIX] };

describePriceProvider("cboe, indices", {
  make: (fetch) => cboeIndices({ fetch }),
  vendor: cboeVendor,
  world,
  instruments: { good: VIX, unknown: UNLISTED_STOCK },
  // there is no request for other names
  accept: { unknown: ["unsupported"] },
  volumes: false,
  quoted: (of, { symbol }) => {
    const { price, at } = delayedLevel(symbol, of);
    return { price, tradedAt: at };
  },
});

/** Responses of 2026-06-04, in the session, and of 2026-08-13, after it. */
const IN_SESSION = {
  timestamp: "2026-06-04 15:43:30",
  data: {
    symbol: "^VIX",
    security_type: "index",
    current_price: 15.66,
    open: 16.44,
    high: 16.44,
    low: 15.62,
    close: 15.66,
    prev_day_close: 16.06,
    volume: 0,
    last_trade_time: "2026-06-04T11:28:16",
  },
  symbol: "_VIX",
};
const CLOSED = {
  timestamp: "2026-08-13 05:09:05",
  data: {
    ...IN_SESSION.data,
    current_price: 14.56,
    close: 14.55,
    open: 14.92,
    high: 14.96,
    low: 14.39,
    prev_day_close: 15.28,
    last_trade_time: "2026-08-12T16:15:01",
  },
  symbol: "_VIX",
};
const respond = (body: unknown) => {
  const { fetch, requests } = respondWith({ "": body });
  const unreadable: number[] = [];
  const onUnreadable = (rows: number) => void unreadable.push(rows);
  return { provider: cboeIndices({ fetch, onUnreadable }), requests, unreadable };
};
const quoted = (body: unknown, of = VIX) => respond(body).provider.latest!(of, { signal });

describe("cboe's indices", () => {
  it("have a level with its time and the close of the session before, without volume", async () => {
    const { provider, requests } = respond(IN_SESSION);
    expect(await provider.latest!(VIX, { signal })).toEqual({
      price: 15.66,
      tradedAt: Date.parse("2026-06-04T15:28:16Z"),
      officialClose: false,
      previousClose: 16.06,
      open: 16.44,
      high: 16.44,
      low: 15.62,
      volume: null,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://cdn-api.cboe.com/api/global/delayed_quotes/quotes/_VIX.json"]);
  });

  it("have the official close of 16:15 after the session", async () => {
    expect(await quoted(CLOSED)).toMatchObject({
      price: 14.55,
      tradedAt: Date.parse("2026-08-12T20:15:00Z"),
      officialClose: true,
      previousClose: 15.28,
    });
  });

  it("have no level of the close while the delayed data are of the session", async () => {
    // 16:20 New York: the data are those of 16:05
    const file = { ...CLOSED, timestamp: "2026-08-12 20:20:00" };
    const data = { ...CLOSED.data, last_trade_time: "2026-08-12T16:05:00" };
    expect(await quoted({ ...file, data })).toMatchObject({
      price: 14.56,
      tradedAt: Date.parse("2026-08-12T20:05:00Z"),
      officialClose: false,
    });
  });

  it.each([
    ["of a stock", { ...IN_SESSION, data: { ...IN_SESSION.data, security_type: "stock" } }],
    ["of another index", { ...IN_SESSION, data: { ...IN_SESSION.data, symbol: "^SPX" } }],
    ["in the file of another index", { ...IN_SESSION, symbol: "_SPX" }],
    ["without a time", { ...IN_SESSION, data: { ...IN_SESSION.data, last_trade_time: null } }],
  ])("refuse a quote %s", async (_, body) => {
    expect(await kindOf(quoted(body))).toBe("malformed");
  });

  it("are not requested where Cboe has no file", async () => {
    const { provider, requests } = respond(IN_SESSION);
    expect(await kindOf(provider.latest!(DAX, { signal }))).toBe("unsupported");
    expect(await kindOf(barsIn(provider, { from: "2026-01-01", until: "2026-09-30" }, GSPC))).toBe(
      "unsupported",
    );
    expect(requests).toEqual([]);
  });
});

describe("cboe's daily levels", () => {
  const FILE =
    "\uFEFFDATE,OPEN,HIGH,LOW,CLOSE\r\n01/02/1990,17.240000,17.240000,17.240000,17.240000\r\n03/16/2020,57.830002,83.559998,57.830002,82.690002\r\n09/22/2026,14.640000,14.950000,14.190000,14.210000\r\n\r\n";

  it("are read from the file of all days", async () => {
    const { provider, requests, unreadable } = respond(FILE);
    expect((await barsIn(provider, { from: "2020-01-01", until: "2026-09-25" }, VIX)).bars).toEqual([
      {
        time: Date.UTC(2020, 2, 16),
        open: 57.830002,
        high: 83.559998,
        low: 57.830002,
        close: 82.690002,
        volume: 0,
      },
      { time: Date.UTC(2026, 8, 22), open: 14.64, high: 14.95, low: 14.19, close: 14.21, volume: 0 },
    ]);
    expect(requests).toEqual(["https://cdn.cboe.com/api/global/us_indices/daily_prices/VIX_History.csv"]);
    expect(unreadable).toEqual([]);
  });

  it("are without the rows that cannot be read, which are counted", async () => {
    const { provider, unreadable } = respond(
      `${FILE.trimEnd()}\r\n09/31/2026,1,1,1,1\r\n09/24/2026,14,,14,14\r\n`,
    );
    expect((await barsIn(provider, { from: "2026-09-01", until: "2026-09-25" }, VIX)).bars).toHaveLength(1);
    expect(unreadable).toEqual([2]);
  });

  it.each([
    ["other columns", "DATE,SPX\r\n01/02/1975,70.230000\r\n"],
    ["no rows", "DATE,OPEN,HIGH,LOW,CLOSE\r\n"],
    ["the newest days missing", "DATE,OPEN,HIGH,LOW,CLOSE\r\n09/16/2026,14,14,14,14\r\n"],
    ["too many rows", `DATE,OPEN,HIGH,LOW,CLOSE\r\n${"01/02/1990,1,1,1,1\r\n".repeat(40_000)}`],
    ["more than 2 MB", `DATE,OPEN,HIGH,LOW,CLOSE\r\n01/02/1990,1,1,1,${"1".repeat(2 * 1024 * 1024)}`],
  ])("refuse a file with %s", async (_, file) => {
    expect(
      await kindOf(barsIn(respond(file).provider, { from: "2020-01-01", until: "2026-09-25" }, VIX)),
    ).toBe("malformed");
  });
});
