import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import type { VolumeFile } from "../../../../src/domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveOffExchange } from "../../../../src/features/off-exchange/live/off-exchange.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Thursday, 10:00 in New York. */
const NOW = Date.UTC(2026, 0, 15, 15);
const AAPL = fixed("AAPL");
const MISSING = { days: null, weeks: null, byPrice: null };
const figures = { short: 40, shortExempt: 1, total: 100 };
const file = (published = true): VolumeFile => ({
  published,
  of: ({ symbol }) => (published && symbol === "AAPL" ? figures : null),
});

function liveData(way: (date: string) => VolumeFile | ProviderFailure = () => file()) {
  const clock = movingClock(new Date(NOW));
  const requests: string[] = [];
  const daily = respondingProvider("p0", clock, ({ date }: { readonly date: string }) => {
    requests.push(date);
    return way(date);
  });
  const weekly = respondingProvider("p0", clock, ({ instrument }: { readonly instrument: Instrument }) => {
    requests.push(`weeks of ${instrument.symbol}`);
    if (instrument.symbol !== "AAPL") return new ProviderFailure("unknown_symbol", "so");
    const row = { kind: "ats", shares: 9, trades: 3, notional: null, week: 0 } as const;
    return { weeks: [40, 30, 20].map((back) => ({ ...row, knownAt: NOW - back * DAY })) };
  });
  const prices = respondingProvider("p1", clock, ({ date }: { readonly date: string }) => {
    requests.push(`prices of ${date}`);
    return { prices: [{ price: 10, offExchange: 1, onExchange: 2 }] };
  });
  const providers = { daily: [daily], weekly: [weekly], prices: [prices] };
  return { clock, requests, ports: liveOffExchange({ ...providers, clock, missing: MISSING }) };
}
const down = () => new ProviderFailure("down", "so");
const week = { from: NOW - 7 * DAY, until: NOW };

describe("live off-exchange days", () => {
  it("are those posted within the range, at 18:00 New York of their date", async () => {
    const { ports, requests } = liveData();
    const answer = (await ports.days(AAPL, week))!;
    expect(requests).toEqual(["2026-01-08", "2026-01-09", "2026-01-12", "2026-01-13", "2026-01-14"]);
    expect(answer).toMatchObject({ source: "p0", asOf: Date.UTC(2026, 0, 14, 23), gap: null, stale: false });
    expect(answer.rows.at(-1)).toEqual({
      day: Date.UTC(2026, 0, 14),
      ...figures,
      knownAt: Date.UTC(2026, 0, 14, 23),
    });
  });

  it("fetch a file once for all symbols", async () => {
    const { ports, requests } = liveData();
    await Promise.all([ports.days(AAPL, week), ports.days(fixed("SPY"), week)]);
    await ports.days(AAPL, week);
    expect(requests).toHaveLength(5);
  });

  it("request an unposted file again until it is given up", async () => {
    let posted = false;
    const { ports, requests, clock } = liveData((date) => file(posted || date !== "2026-01-14"));
    const answer = (await ports.days(AAPL, week))!;
    expect([answer.rows.length, answer.gap]).toEqual([4, "Not published: 2026-01-14"]);
    posted = true;
    clock.pass(10 * 60_000);
    expect((await ports.days(AAPL, week))!.rows).toHaveLength(5);
    // files of the last three days were requested again, older ones were not
    expect(requests.slice(5)).toEqual(["2026-01-13", "2026-01-14"]);
  });

  it("name the unavailable days, and reject if all are", async () => {
    const { ports } = liveData((date) => (date < "2026-01-14" ? down() : file()));
    expect(await ports.days(AAPL, week)).toMatchObject({
      rows: [{ day: Date.UTC(2026, 0, 14) }],
      gap: "Unavailable now: 4 days from 2026-01-08 to 2026-01-13",
      stale: false,
    });
    const old = liveData((date) => (date === "2026-01-14" ? down() : file()));
    expect(await old.ports.days(AAPL, week)).toMatchObject({
      rows: { length: 4 },
      gap: "Unavailable now: 2026-01-14",
      stale: true,
    });
    await expect(liveData(down).ports.days(AAPL, week)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("are none, with the reason, for an unreported symbol and for tokens", async () => {
    const { ports } = liveData();
    expect(await ports.days(fixed("LINK"), week)).toMatchObject({
      rows: [],
      asOf: null,
      gap: "No off-exchange volume was reported for LINK",
    });
    expect(await ports.days(fixed("BTC-USD"), week)).toMatchObject({
      rows: [],
      gap: "Off-exchange volume is reported only for US stocks and funds",
    });
  });
});

describe("live off-exchange weeks and prices", () => {
  it("are those known within the range", async () => {
    const { ports, requests } = liveData();
    const answer = (await ports.weeks(AAPL, { from: NOW - 35 * DAY, until: NOW - 25 * DAY }))!;
    expect(answer).toMatchObject({ rows: [{ knownAt: NOW - 30 * DAY }], asOf: NOW - 30 * DAY, gap: null });
    await ports.weeks(AAPL, week);
    expect(requests).toEqual(["weeks of AAPL"]);
    expect(await ports.weeks(fixed("SPY"), week)).toMatchObject({
      rows: [],
      gap: "No provider covers weekly volume of SPY",
    });
  });

  it("are those of the newest session that is posted", async () => {
    const { ports, requests } = liveData();
    expect(await ports.byPrice(AAPL, week)).toMatchObject({
      rows: [{ price: 10, offExchange: 1, onExchange: 2 }],
      source: "p1",
      asOf: Date.UTC(2026, 0, 14, 23),
    });
    expect(requests).toEqual(["prices of 2026-01-14"]);
  });

  it("are null without a provider", async () => {
    const clock = movingClock(new Date(NOW));
    const ports = liveOffExchange({ daily: [], weekly: [], prices: [], clock, missing: MISSING });
    expect(
      await Promise.all([ports.days(AAPL, week), ports.weeks(AAPL, week), ports.byPrice(AAPL, week)]),
    ).toEqual([null, null, null]);
  });
});
