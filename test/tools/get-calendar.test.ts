import { describe, expect, it } from "vitest";
import { noEarnings, noMarketEvents } from "../../src/app/providers/not-connected.ts";
import { type MarketEvent, marketEvent } from "../../src/domain/market-events/market-events.ts";
import type { MarketEvents } from "../../src/domain/market-events/market-events-port.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { getCalendar } from "../../tools/get-calendar.ts";
import { stoppedClock, unavailable } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const clock = stoppedClock();
const { members, earnings, marketEvents } = sampleMarket({ clock });
const ports = { ...smallMarket().ports, symbols: createDirectory({ members }), earnings, marketEvents };
const ask = callerOf(getCalendar, ports);

describe("get_calendar", () => {
  it("returns the next two weeks by default", async () => {
    const answer = await ask({});
    expect(answer).toMatchObject({
      from: "2026-01-15",
      to: "2026-01-29",
      dataSource: "sample",
      market: "sample",
    });
    expect(answer.market_days).toEqual([
      { date: "2026-01-19", kind: "closed", name: "Martin Luther King Jr. Day" },
    ]);
    expect(answer.earnings.length).toBe(answer.total);
    expect(answer.total).toBeGreaterThan(0);
    expect(answer.earnings.every(({ eps_actual }) => eps_actual === null)).toBe(true);
  });

  it("uses the date in New York", async () => {
    const evening = { now: () => new Date("2026-01-16T02:00:00Z") };
    expect((await ask({}, { clock: evening })).from).toBe("2026-01-15");
  });

  it("returns the requested symbols once each, with a note on funds and tokens", async () => {
    const { earnings: reports, notes } = await ask({
      symbols: ["aapl", "AAPL", "SPY", "BTC-USD"],
      from: "2025-12-15",
      to: "2026-03-15",
    });
    expect(reports).toMatchObject([{ symbol: "AAPL", period: "Q4 2025", eps_actual: null }]);
    expect(notes).toEqual([
      "SPY is a fund: only companies report earnings",
      "BTC-USD is a token: only companies report earnings",
      "The simulated venue also trades on holidays",
    ]);
  });

  it("names the connected provider even when no company is requested", async () => {
    expect(await ask({ symbols: ["SPY"] })).toMatchObject({ earnings: [], total: 0, dataSource: "sample" });
    const unconnected = await ask({ symbols: ["SPY"] }, { earnings: noEarnings });
    expect(unconnected).toMatchObject({ total: 0, dataSource: null });
  });

  it("returns the earliest reports up to the limit, with the total", async () => {
    const all = await ask({ from: "2025-10-01", to: "2025-12-31", limit: 500 });
    const few = await ask({ from: "2025-10-01", to: "2025-12-31", limit: 3 });
    expect(few.earnings).toEqual(all.earnings.slice(0, 3));
    expect(few.total).toBe(all.total);
  });

  it("starts two weeks before a past end", async () => {
    expect(await ask({ to: "2025-11-20" })).toMatchObject({ from: "2025-11-06", to: "2025-11-20" });
  });

  it.each([
    [{ from: "2026-01-01", to: "2026-04-04" }, "/to", "from and to may be at most 92 days apart"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "/to", "to must not be before from"],
    [{ from: "2026-02-30" }, "/from", ""],
    [{ symbols: Array.from({ length: 21 }, () => "AAPL") }, "/symbols", ""],
    [{ limit: 0 }, "/limit", ""],
  ])("refuses %j", async (input, pointer, detail) => {
    await expect(ask(input)).rejects.toMatchObject(invalidField(pointer, detail));
  });

  it("allows periods of 92 days and of one day", async () => {
    expect(await ask({ from: "2026-01-01", to: "2026-04-03" })).toMatchObject({ to: "2026-04-03" });
    expect(await ask({ from: "2026-01-19", to: "2026-01-19" })).toMatchObject({
      market_days: [{ date: "2026-01-19" }],
    });
  });

  it("has no total outside the simulated market, and states its first and last day", async () => {
    const early = await ask({ from: "1900-01-01", to: "1900-01-14" });
    expect(early).toMatchObject({ earnings: [], total: null });
    expect(early.notes[0]).toBe("The sample market begins on 2017-01-02");
    const late = await ask({ from: "2100-01-01", to: "2100-02-14" });
    expect(late).toMatchObject({ earnings: [], total: null });
    expect(late.notes[0]).toBe("The calendar of the sample market ends on 2027-02-19");
  });

  it("returns holidays without an earnings provider, and names the setting that connects one", async () => {
    const answer = await ask({}, { earnings: noEarnings });
    expect(answer).toMatchObject({ total: null, fetchedAt: null });
    expect(answer).toMatchObject({ earnings: [], dataSource: null, market_days: [{ date: "2026-01-19" }] });
    expect(answer.notes[0]).toContain("MARKET_DATA=live");
  });

  it("returns the next report of each symbol, however far away, or the reason why there is none", async () => {
    const { earnings: reports, next_reports } = await ask({
      symbols: ["AAPL", "aapl", "SPY"],
      from: "2026-01-15",
      to: "2026-01-16",
    });
    expect(reports).toEqual([]);
    const [apple] = (await ask({ symbols: ["AAPL"], from: "2026-01-15", to: "2026-04-15" })).earnings;
    expect(next_reports).toEqual([
      { symbol: "AAPL", date: apple!.date, hour: apple!.hour, confirmed: apple!.confirmed, reason: null },
      {
        symbol: "SPY",
        date: null,
        hour: null,
        confirmed: null,
        reason: "SPY is a fund: only companies report earnings",
      },
    ]);
    expect((await ask({})).next_reports).toEqual([]);
  });

  it("gives the reason for a symbol whose provider does not respond", async () => {
    const next = unavailable("The provider of dates is down");
    expect(await ask({ symbols: ["AAPL"] }, { earnings: { ...earnings, next } })).toMatchObject({
      next_reports: [{ symbol: "AAPL", date: null, reason: "The provider of dates is down" }],
    });
  });

  it("returns events of another type, up to the limit, with the window of that type", async () => {
    const events = Array.from({ length: 3 }, (_, i) =>
      marketEvent({ date: "2026-01-15", symbol: `S${i}`, detail: "Halted", at: "2026-01-15T15:00:00.000Z" }),
    );
    const requests: object[] = [];
    const found = {
      source: "nasdaqtrader",
      fetchedAt: "2026-01-15T15:00:00.000Z",
      stale: false,
      notes: ["a"],
    };
    const port: MarketEvents = {
      async list({ signal: _, ...request }) {
        requests.push(request);
        return { ...found, events, isComplete: true };
      },
    };
    const answer = await ask({ type: "halts", limit: 2 }, { marketEvents: port });
    expect(answer).toMatchObject({
      from: "2026-01-15",
      to: "2026-01-15",
      earnings: [],
      events: events.slice(0, 2),
      total: 3,
      dataSource: "nasdaqtrader",
      notes: ["a"],
    });
    await ask({ type: "dividends", symbols: ["AAPL", "BTC-USD"] }, { marketEvents: port });
    await ask({ type: "ipos" }, { marketEvents: port });
    expect(requests).toMatchObject([
      { kind: "halts", instruments: null },
      { kind: "dividends", to: "2026-04-17", instruments: [{ symbol: "AAPL" }] },
      { kind: "ipos", to: "2026-02-15" },
    ]);
    expect(await ask({ type: "splits", symbols: ["BTC-USD"] }, { marketEvents: port })).toMatchObject({
      total: 0,
      notes: ["Tokens have no dividends, splits, IPOs or halts"],
    });
    const lines = getCalendar.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[2]).toBe("  2026-01-15  S0     Halted  2026-01-15T15:00:00.000Z");
  });

  it("has ex-dividend dates in the simulated market, the days of its bars, and says what it lacks", async () => {
    const window = { from: "2025-08-01", to: "2025-08-31" };
    const answer = await ask({ type: "dividends", symbols: ["AAPL", "MSFT", "KO", "JPM"], ...window });
    expect(answer.events.length).toBeGreaterThan(0);
    const [{ symbol, date }] = answer.events as [MarketEvent];
    const { bars } = sampleMarket({ clock });
    const instrument = members.find((one) => one.symbol === symbol)!;
    const { actions } = await bars.history(instrument, { timeframe: "1d", limit: 300, actions: true });
    expect(actions!.dividends!.map((dividend) => dividend.date)).toContain(date);
    expect(await ask({ type: "ipos" })).toMatchObject({
      events: [],
      total: 0,
      notes: ["The sample market has no IPOs"],
    });
  });

  it("names the setting that connects events", async () => {
    expect(await ask({ type: "splits" }, { marketEvents: noMarketEvents })).toMatchObject({
      events: [],
      total: null,
      dataSource: null,
      notes: [expect.stringContaining("MARKET_DATA=live")],
    });
  });

  it("prints one line per day, in order", async () => {
    const answer = await ask({ symbols: ["AAPL"], from: "2026-01-15", to: "2026-03-15" });
    const lines = getCalendar.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toBe("calendar 2026-01-15 to 2026-03-15");
    expect(lines[2]).toBe("  2026-01-19  exchanges closed: Martin Luther King Jr. Day");
    expect(
      lines.some((line) => /^ {2}2026-0[12]-\d\d {2}AAPL +before open +EPS - against \d/.test(line)),
    ).toBe(true);
  });
});

toolContract(getCalendar, { ports });
