import { describe, expect, it } from "vitest";
import { sanitizeBars } from "../../../src/market/prices/sanitize-bars.ts";
import { yahoo } from "../../../src/providers/yahoo/prices.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { describeWithData } from "../../support/test-data.ts";
import { barsIn, kindOf, respondAs, respondWith, signal } from "../requests.ts";
import { AAPL, ALL, at, BTC, instrument, morning, recordedBody, respond } from "./answers.ts";

describeWithData("Yahoo's bars as recorded", ["fixtures", "yahoo"], (folder) => {
  it("returns the days around Apple's split of 31 August 2020 adjusted, each dated by its session", async () => {
    const provider = respond(recordedBody(folder, "chart-AAPL-2020-08-31-to-2020-11-07.json"));
    const given = await provider.history!(AAPL, ALL);
    const { bars } = sanitizeBars(given, { assetClass: "equity", timeframe: "1d", at: ALL.until });
    expect(bars.time).toHaveLength(49);
    expect(new Date(bars.time[0]!).toISOString()).toBe("2020-08-31T00:00:00.000Z");
    expect([bars.close[0], bars.close[1]]).toEqual([129.04, 134.18]);
    expect(given.adjustment).toBe("split");
  });

  it("dates daily bars by their session before and after a clock change", async () => {
    const cases = [
      // 14:30 UTC on the Friday, 13:30 on the Monday: 12.856, 13.19125
      [
        "NVDA",
        "historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json",
        "2021-03-12",
        "2021-03-15",
      ],
      // 13:30, then 14:30: 108.86, 108.77
      ["AAPL", "chart-AAPL-2020-08-31-to-2020-11-07.json", "2020-10-30", "2020-11-02"],
    ] as const;
    const closes = await Promise.all(
      cases.map(async ([symbol, file, friday, monday]) => {
        const { bars } = await respond(recordedBody(folder, file)).history!(instrument(symbol), ALL);
        return [friday, monday].map((day) => bars.find(({ time }) => time === at(`${day}T00:00Z`))?.close);
      }),
    );
    expect(closes).toEqual([
      [12.856, 13.19125],
      [108.86, 108.77],
    ]);
  });

  it("adjusts prices on both sides of Nvidia's split of 20 July 2021 equally", async () => {
    const provider = respond(
      recordedBody(folder, "historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json"),
    );
    const { bars } = await provider.history!(instrument("NVDA"), ALL);
    const split = bars.findIndex(({ time }) => time === at("2021-07-20T00:00Z"));
    // as traded, 751.19 and then 186.12
    expect([bars[split - 1]!.close, bars[split]!.close]).toEqual([18.77975, 18.612]);
    expect(bars).toHaveLength(252);
  });

  it("returns a token's volume in units and its days in UTC, although Yahoo counts dollars", async () => {
    const provider = respond(recordedBody(folder, "chart-BTC-USD-2020-01-01-to-2020-01-03.json"));
    const { bars } = await provider.history!(BTC, ALL);
    expect(bars.map(({ time }) => new Date(time).toISOString().slice(0, 10))).toEqual([
      "2020-01-01",
      "2020-01-02",
      "2020-01-03",
    ]);
    // 18,565,664,997 dollars at (7254.331 + 7174.944 + 7200.174) / 3
    expect(bars[0]!.volume).toBeCloseTo(2_575_053.8, 0);
  });
});

describe("Yahoo's bars", () => {
  it("drop the empty forming bar, the bar off the grid and the bar repeated after the close", async () => {
    const seconds = (iso: string) => at(iso) / 1_000;
    const chart = JSON.parse(JSON.stringify(morning)) as typeof morning;
    Object.assign(chart.chart.result[0]!, {
      timestamp: ["19:30", "20:00", "20:30", "20:41:12", "21:00"].map((time) =>
        seconds(`2022-02-23T${time}Z`),
      ),
      indicators: {
        quote: [
          {
            open: [161, 162, null, 160.5, 160.07],
            high: [163, 162.5, null, 160.5, 160.07],
            low: [160, 161, null, 160.5, 160.07],
            close: [162, 161.5, null, 160.5, 160.07],
            volume: [500, 400, null, 0, 0],
          },
        ],
      },
    });
    const given = await respond(chart).history!(AAPL, { ...ALL, timeframe: "30m" });
    const { bars, forming } = sanitizeBars(given, { assetClass: "equity", timeframe: "30m", at: ALL.until });
    expect([...bars.close]).toEqual([162, 161.5]);
    expect(forming).toBeNull();
  });

  it("are empty if the window ends before the first trade", async () => {
    const refused = (description: string) =>
      respond({ chart: { result: null, error: { code: "Bad Request", description } } }, 400);
    const before = refused("Data doesn't exist for startDate = 0, endDate = 86400");
    expect((await before.history!(AAPL, ALL)).bars).toEqual([]);
    expect(await kindOf(before.latest!(AAPL, { signal }))).toBe("unknown_symbol");
    expect(await kindOf(refused("Invalid input").history!(AAPL, ALL))).toBe("malformed");
  });

  it("include pre-market and after-hours on request", async () => {
    const provider = yahoo({ fetch: respondAs(yahooVendor).fetch });
    const read = (extendedHours: boolean) =>
      barsIn(provider, {
        from: "2025-12-02T05:00:00Z",
        until: "2025-12-03",
        timeframe: "30m",
        extendedHours,
      });
    const [regular, extended] = [await read(false), await read(true)];
    const starts = ({ bars }: typeof regular) =>
      bars.flatMap(({ time, close }) => (close === null ? [] : [new Date(time).toISOString().slice(5, 16)]));
    // by hand: 09:30 to 16:00 and 04:00 to 19:30 New York
    expect([starts(regular)[0], starts(regular).at(-1), regular.hours]).toEqual([
      "12-02T14:30",
      "12-02T20:30",
      "regular",
    ]);
    expect([starts(extended)[0], starts(extended).at(-1), extended.hours]).toEqual([
      "12-02T09:00",
      "12-03T00:00",
      "extended",
    ]);
  });

  it("are requested by their window, in whole days including the newest", async () => {
    const { fetch, requests } = respondWith({ "": {} });
    const provider = yahoo({ fetch });
    const window = { from: at("2026-03-02T00:00:00Z"), until: at("2026-03-03T00:00:00Z"), signal };
    await kindOf(provider.history!(AAPL, { ...window, timeframe: "1d" }));
    await kindOf(provider.history!(AAPL, { ...window, timeframe: "30m" }));
    await kindOf(provider.history!(AAPL, { ...window, timeframe: "30m", extendedHours: true }));
    expect(requests.map((url) => new URL(url).search)).toEqual([
      "?interval=1d&period1=1772409600&period2=1772582401&includePrePost=false&events=div|split",
      "?interval=30m&period1=1772409600&period2=1772496001&includePrePost=false&events=div|split",
      "?interval=30m&period1=1772409600&period2=1772496001&includePrePost=true&events=div|split",
    ]);
  });
});
