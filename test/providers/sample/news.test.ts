import { describe, expect, it } from "vitest";
import { lexiconEvidence, scoreOf } from "../../../src/analytics/news/lexicon.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { between, DAY, listed, marketAt } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 15, 15);
const read = async (symbol: string, from: number, until: number) =>
  (await marketAt(NOW).news.headlines(listed(symbol), { from, until }))!.headlines;

describe("sample news", () => {
  it("names fictional news agencies, newest first, without links, tagged with its symbol", async () => {
    const year = await read("NVDA", NOW - 365 * DAY, NOW);
    between(year.length, 400, 1_200);
    const times = year.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(year.map(({ id }) => id)).size).toBe(year.length);
    expect(new Set(year.map(({ publisher }) => publisher))).toEqual(
      new Set(["A", "B", "C", "D", "E"].map((letter) => `Sample Wire ${letter}`)),
    );
    for (const { title, url, tags } of year) {
      expect(title).toMatch(/\$NVDA/);
      expect(title).not.toMatch(/[{}]|undefined|null/);
      expect([url, tags[0]]).toEqual([null, "NVDA"]);
    }
  });

  it("agrees with the day's move so far with a known strength", async () => {
    let [agree, judged] = [0, 0];
    const spy = (await marketAt(NOW).bars.history(listed("SPY"), { timeframe: "1d", limit: 400 })).bars;
    for (const { instrument, beta } of LISTINGS) {
      if (instrument.asset_class !== "equity") continue;
      const { bars } = await marketAt(NOW).bars.history(instrument, { timeframe: "1d", limit: 400 });
      for (const { title, publishedAt, id } of await read(instrument.symbol, bars.time[1]!, NOW - DAY)) {
        // Most of a day's move has happened by its last quarter.
        if (id.endsWith("b") || publishedAt % DAY < 0.75 * DAY) continue;
        const day = bars.time.indexOf(Math.floor((publishedAt - 1) / DAY) * DAY);
        const own =
          bars.close[day]! / bars.close[day - 1]! - 1 - beta * (spy.close[day]! / spy.close[day - 1]! - 1);
        const tone = scoreOf(lexiconEvidence(tokensOf(title, { own: [], others: [] })));
        if (tone === null || tone === 0) continue;
        judged++;
        if (Math.sign(tone) === Math.sign(own)) agree++;
      }
    }
    expect(judged).toBeGreaterThan(2_000);
    between(agree / judged, 0.72, 0.9);
  });

  it("reports the first day of the simulated market, and no coverage before it", async () => {
    const request = (from: string, until: string) =>
      marketAt(NOW).news.headlines(listed("AAPL"), { from: Date.parse(from), until: Date.parse(until) });
    expect(await request("1990-01-01", "1990-01-04")).toMatchObject({
      headlines: [],
      uncovered: "The sample market begins on 2017-01-02",
    });
    expect(await request("2016-12-30", "2017-01-05")).toMatchObject({
      uncovered: null,
      completeFrom: Date.UTC(2017, 0, 2),
    });
    expect(await request("2017-01-02", "2017-01-05")).toMatchObject({ uncovered: null, completeFrom: null });
  });
});
