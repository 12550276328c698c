import { describe, expect, it } from "vitest";
import { marketStateAt } from "../../../src/market/calendar/calendar.ts";
import { yahoo } from "../../../src/providers/yahoo/prices.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { NO_DAY, signal } from "../requests.ts";
import { AAPL, at, BTC, instrument, morning, recordedBody, respond, token } from "./answers.ts";

describeWithData("Yahoo's quotes as recorded", ["fixtures", "yahoo"], (folder) => {
  it("returns the previous session's close in the morning, with the close before it", async () => {
    const provider = respond(
      recordedBody(folder, "chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json"),
    );
    // requested on the morning of 20 February for a weekend range, so it has no minute bars
    expect(await provider.latest!(AAPL, { signal })).toMatchObject({
      price: 244.87,
      tradedAt: at("2025-02-19T21:00:01Z"),
      previousClose: 244.47,
      open: null,
      high: 246.01,
    });
  });

  it("does not use the close before a range of several days as the previous close", async () => {
    const provider = respond(recordedBody(folder, "chart_quote_META_2026-08.json"));
    // 599.12 is the close of a week earlier; the previous day's is 568.97
    expect((await provider.latest!(instrument("META"), { signal })).previousClose).toBeNull();
  });
});

describe("Yahoo's quote", () => {
  it("is the pre-market trade, not the close of the previous evening", async () => {
    expect(await respond(morning).latest!(AAPL, { signal })).toEqual({
      ...NO_DAY,
      price: 155.82,
      tradedAt: at("2022-02-24T10:16:00Z"),
      officialClose: false,
      previousClose: 160.07,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("is the previous close before the first trade of the day, with that session's day figures", async () => {
    const early = JSON.parse(JSON.stringify(morning)) as typeof morning;
    early.chart.result[0]!.indicators.quote[0]!.close = [null, null, null] as unknown as number[];
    expect(await respond(early).latest!(AAPL, { signal })).toMatchObject({
      price: 160.07,
      tradedAt: at("2022-02-23T21:00:04Z"),
      officialClose: true,
      previousClose: 164.32,
      open: null,
      high: 166.15,
      volume: 90_009_247,
    });
    const { previousClose: _, ...meta } = early.chart.result[0]!.meta;
    const silent = { chart: { result: [{ ...early.chart.result[0]!, meta }], error: null } };
    expect((await respond(silent).latest!(AAPL, { signal })).previousClose).toBeNull();
  });

  it("drops a price of 0 and the row that repeats the latest trade", async () => {
    const again = JSON.parse(JSON.stringify(morning)) as typeof morning;
    Object.assign(again.chart.result[0]!, {
      timestamp: ["2022-02-23T21:00:04Z", "2022-02-23T21:01:00Z"].map((time) => at(time) / 1_000),
      indicators: {
        quote: [
          Object.fromEntries(
            ["open", "high", "low", "close", "volume"].map((column) => [column, [160.1, 0]]),
          ),
        ],
      },
    });
    expect(await respond(again).latest!(AAPL, { signal })).toMatchObject({
      price: 160.07,
      tradedAt: at("2022-02-23T21:00:04Z"),
    });
  });

  it.each([
    ["before the open", "2025-12-03T13:31:10Z"],
    ["in the session", "2025-12-03T15:42:30Z"],
    ["in the evening", "2025-12-03T22:31:10Z"],
    ["at night", "2025-12-04T05:00:00Z"],
    ["on a Sunday", "2025-12-07T15:00:00Z"],
    ["on the evening of a half day", "2025-11-28T19:10:10Z"],
    ["on the morning after Thanksgiving", "2025-11-28T11:10:10Z"],
    ["on the Monday after the end of summer time", "2025-11-03T12:10:10Z"],
  ])("equals the last trade of the world %s", async (_, iso) => {
    const world = fixedWorld(at(iso));
    const provider = yahoo({ fetch: fetchFrom(yahooVendor, world) });
    for (const symbol of ["AAPL", "BRK.B", "SPY"]) {
      const { price, at: tradedAt, previousClose, open, high, low, volume } = world.trade(symbol)!;
      const figures =
        marketStateAt(tradedAt - 1, "equity") === "pre"
          ? { open: null, high: null, low: null, volume: null }
          : { open, high, low, volume };
      expect(await provider.latest!(fixed(symbol), { signal })).toEqual({
        price,
        tradedAt,
        // the last trade of these sessions is after the close
        officialClose: false,
        previousClose,
        ...figures,
        volumeScope: "all_venues",
        venue: "US",
      });
    }
  });
});

describe("Yahoo's quote of a token", () => {
  it("has the last 24 hours as its day, and converts volume from dollars to tokens", async () => {
    expect(await respond(token()).latest!(BTC, { signal })).toEqual({
      price: 108,
      tradedAt: at("2026-03-02T12:02:30Z"),
      previousClose: 100,
      open: 100,
      high: 112,
      low: 99,
      // 44,100 dollars at the typical price (112 + 99 + 108) / 3
      volume: 44_100 / (319 / 3),
      volumeScope: "all_venues",
      venue: "YAHOO",
    });
  });

  it("has null day figures without 24 hours of data", async () => {
    const short = await respond(token({ from: "2026-03-02T00:00:00Z" })).latest!(BTC, { signal });
    expect(short).toMatchObject({ price: 108, ...NO_DAY });
    expect((await respond(token({ volume: null })).latest!(BTC, { signal })).volume).toBeNull();
  });
});
