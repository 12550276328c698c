import { describe, expect, it } from "vitest";
import { noEventsOf } from "../../../../src/app/providers/not-connected.ts";
import { type MarketEvent, marketEvent } from "../../../../src/domain/market-events/market-events.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveMarketEvents } from "../../../../src/features/market-events/live/market-events.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const NOON = new Date("2026-01-21T17:00:00.000Z");
const event = (date: string, symbol: string, over: Partial<MarketEvent> = {}) =>
  marketEvent({ date, symbol, detail: "so", ...over });

/** Events of providers that answer each request with these, or fail. */
function live(answerTo: (key: string) => readonly MarketEvent[] | ProviderFailure) {
  const clock = movingClock(NOON);
  const keys: string[] = [];
  const provider = respondingProvider("nasdaq", clock, (request: object) => {
    const key = JSON.stringify(Object.values(request)[0]?.symbol ?? Object.values(request)[0]);
    keys.push(JSON.parse(key));
    const answer = answerTo(JSON.parse(key));
    return answer instanceof ProviderFailure ? answer : { events: answer };
  });
  const providers = [provider] as never;
  const port = liveMarketEvents({
    dividendDays: providers,
    stockDividends: providers,
    splitDays: providers,
    ipoMonths: providers,
    haltDays: providers,
    clock,
    missing: noEventsOf,
  });
  return { keys, list: port.list };
}
const all = { instruments: null };

describe("live events", () => {
  it("of days are read once for each session, and sorted by date", async () => {
    const { keys, list } = live((date) => [event(date, "B"), event(date, "A"), event("2026-03-01", "C")]);
    const request = { kind: "dividends", from: "2026-01-22", to: "2026-01-26", ...all } as const;
    const answer = await list(request);
    expect(keys).toEqual(["2026-01-22", "2026-01-23", "2026-01-26"]);
    expect(answer).toMatchObject({ isComplete: true, notes: [], source: "nasdaq", stale: false });
    expect("events" in answer && answer.events.map(({ date, symbol }) => `${date} ${symbol}`)).toEqual([
      "2026-01-22 A",
      "2026-01-22 B",
      "2026-01-23 A",
      "2026-01-23 B",
      "2026-01-26 A",
      "2026-01-26 B",
    ]);
    await list(request);
    expect(keys).toHaveLength(3);
  });

  it("say which days are missing, and reject if all are", async () => {
    const down = new ProviderFailure("down", "so");
    const request = { kind: "splits", from: "2026-01-22", to: "2026-01-23", ...all } as const;
    const { list } = live((date) => (date === "2026-01-22" ? down : [event(date, "A")]));
    expect(await list(request)).toMatchObject({
      events: [{ date: "2026-01-23" }],
      isComplete: false,
      notes: ["Unavailable now: 2026-01-22"],
    });
    await expect(live(() => down).list(request)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("read at most 15 days, and name the day from which to continue", async () => {
    const { keys, list } = live(() => []);
    const answer = await list({ kind: "dividends", from: "2026-02-02", to: "2026-03-02", ...all });
    expect(keys).toHaveLength(15);
    expect(answer).toMatchObject({
      isComplete: false,
      notes: ["One request reads at most 15 days: continue from 2026-02-24"],
    });
  });

  it("of halts are today's with those that still hold, and none of the future", async () => {
    const open = event("2026-01-05", "OLD", { at: "2026-01-05T15:00:00.000Z" });
    const over = { ...open, symbol: "GONE", until: "2026-01-06T15:00:00.000Z" };
    const { keys, list } = live(() => [open, over, event("2026-01-21", "NEW")]);
    const today = { kind: "halts", from: "2026-01-21", to: "2026-01-21", ...all } as const;
    expect(await list(today)).toMatchObject({ events: [{ symbol: "OLD" }, { symbol: "NEW" }] });
    expect(keys).toEqual([null]);
    await list({ ...today, from: "2026-01-20" });
    expect(keys).toEqual([null, "2026-01-20"]);
    expect(await list({ ...today, from: "2026-01-22", to: "2026-01-22" })).toMatchObject({ events: [] });
    expect(keys).toHaveLength(2);
  });

  it("of IPOs are read by month and filtered by symbol", async () => {
    const { keys, list } = live((month) => [event(`${month}-15`, "AAPL"), event(`${month}-15`, "B")]);
    const request = {
      kind: "ipos",
      from: "2026-01-20",
      to: "2026-02-28",
      instruments: [fixed("AAPL")],
    } as const;
    expect(await list(request)).toMatchObject({ events: [{ date: "2026-02-15", symbol: "AAPL" }] });
    expect(keys).toEqual(["2026-01", "2026-02"]);
  });

  it("of the dividends of a stock name its last ex-date if none is announced, and stocks without a provider", async () => {
    const unknown = new ProviderFailure("unknown_symbol", "so");
    const { list } = live((symbol) =>
      symbol === "SPY" ? unknown : [event("2025-08-11", "AAPL"), event("2025-11-10", "AAPL")],
    );
    const request = { kind: "dividends", from: "2026-01-21", to: "2026-04-23" } as const;
    const instruments = [fixed("AAPL"), fixed("SPY")];
    expect(await list({ ...request, instruments })).toMatchObject({
      events: [],
      notes: [
        "No provider covers SPY",
        "AAPL has announced no ex-dividend date until 2026-04-23; the last was 2025-11-10",
      ],
    });
  });

  it("are not connected without a provider of the kind", async () => {
    const none = liveMarketEvents({
      dividendDays: [],
      stockDividends: [],
      splitDays: [],
      ipoMonths: [],
      haltDays: [],
      clock: movingClock(NOON),
      missing: noEventsOf,
    });
    expect(await none.list({ kind: "halts", from: "2026-01-21", to: "2026-01-21", ...all })).toEqual(
      noEventsOf("halts"),
    );
  });
});
