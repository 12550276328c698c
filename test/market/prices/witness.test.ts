import { describe, expect, it } from "vitest";
import type { CorporateActions } from "../../../src/domain/market/corporate-actions.ts";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { CloseProvider } from "../../../src/domain/providers/close-provider.ts";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../../src/domain/providers/price-provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { checkedQuotes } from "../../../src/market/prices/checked-quotes.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerBars,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const { us, token } = INSTRUMENTS;
const NOW = "2026-01-15T15:00:00Z";
const SESSION_BEFORE = Date.UTC(2026, 0, 14);

interface Prices {
  /** Price by provider; null: it does not respond. */
  readonly [provider: string]: number | null;
}
interface Fixture {
  /** Provider of stored daily bars, and their actions. */
  readonly stored?: string;
  readonly actions?: CorporateActions;
  /** Close and newest price of the witness in batches. Default: there is no such witness. */
  readonly witness?: { close: number; last: number | null } | null;
  /** Providers that have daily bars. */
  readonly bars?: readonly string[];
  readonly range?: number;
  readonly quote?: Partial<ProviderQuote>;
  readonly facts?: Readonly<Record<string, Partial<PriceProvider>>>;
}

/** Quotes of some providers after a close of 100. */
function setup(
  prices: Prices,
  { stored, actions, witness = null, bars = [], range = 1, quote = {}, facts = {} }: Fixture = {},
) {
  const clock = settableClock(NOW);
  const calls: string[] = [];
  const now: Record<string, number | null> = { ...prices };
  const guards = Object.keys(prices).map((name) =>
    fakeProvider(name, {
      clock,
      ...(bars.includes(name) && {
        history: async () => {
          calls.push(`${name} bars`);
          return providerBars([{ time: SESSION_BEFORE, ...bar }]);
        },
      }),
      latest: async () => {
        calls.push(name);
        const price = now[name] ?? null;
        if (price === null) throw new ProviderFailure("unsupported", "no");
        const own = { tradedAt: clock.at(), previousClose: 100, high: null, low: null };
        return providerQuote({ price, ...own, ...quote });
      },
      ...(facts[name] as object),
    }),
  );
  const bar = { open: 100, high: 100 + range / 2, low: 100 - range / 2, close: 100, volume: 1 };
  const { memory, found } = shortMemory();
  if (stored !== undefined)
    memory.saveBars("AAPL", "1d", {
      source: stored,
      venue: "US",
      volumeScope: "all_venues",
      fetchedAt: clock.at(),
      from: 0,
      at: clock.at(),
      adjustment: "split",
      currency: "USD",
      actions: actions ?? null,
      omitted: [],
      bars: [22, 23, 24, 26, 29, 30, 31, 33, 36, 37, 38, 39, 40, 43, 44, 45].map((day) => ({
        ...bar,
        time: Date.UTC(2025, 11, day),
      })),
      forming: null,
    });
  const closes = guard<CloseProvider>(
    () => ({
      name: "closer",
      budget: { calls: 1_000, perMs: 60_000, atOnce: 4 },
      batchSize: 50,
      async call(instruments: readonly Instrument[]) {
        calls.push(`closer ${instruments.length}`);
        const last = witness!.last === null ? null : { price: witness!.last, tradedAt: clock.at() };
        const row = { closes: [{ day: "2026-01-14", close: witness!.close }], last };
        return new Map(instruments.map(({ symbol }) => [symbol, row]));
      },
    }),
    { fetch, clock },
  );
  const deps = { chain: () => guards, memory, clock, familyOf: (name: string) => name.replace(/\d$/, "") };
  const checked = checkedQuotes(deps, witness === null ? [] : [closes]);
  return { quotes: liveQuotes(checked), checked, calls, clock, found, now };
}

describe("the first live quote of a day", () => {
  it("is measured against stored bars of another family, without a further call", async () => {
    const { quotes, calls } = setup({ one: 103, two: 101 }, { stored: "two" });
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: {
        check: { reason: "near_close", close: 100, witness: "two", deviation_percent: 3, confirmed: true },
      },
    });
    expect(calls).toEqual(["one"]);
  });

  it("is measured against one call for closes if the stored bars are of its own family", async () => {
    const { quotes, calls } = setup(
      { one: 103, two: 101 },
      { stored: "one2", witness: { close: 100, last: null } },
    );
    expect((await quotes.latest(us)).origin!.check).toMatchObject({
      reason: "near_close",
      witness: "closer",
    });
    expect(calls).toEqual(["one", "closer 1"]);
  });

  it("is measured against the newest trade that came with the closes, also if a close is stored", async () => {
    const witness = { close: 100, last: 95.5 };
    const lying = setup({ one: 101.2, two: 95.5 }, { stored: "two", witness });
    expect(await lying.quotes.latest(us)).toMatchObject({
      price_source: "unconfirmed_quote",
      origin: { check: { reason: "other_price", close: 100, confirmed: false } },
    });
    const moved = setup({ one: 97.6, two: 97.5 }, { stored: "two", witness });
    expect(await moved.quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { reason: "other_price", witness: "two", confirmed: true } },
    });
    const near = setup({ one: 97.4, two: 90 }, { stored: "two", witness });
    expect(await near.quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { reason: "near_close", witness: "two" } },
    });
    expect(near.calls).toEqual(["one", "closer 1"]);
  });

  it("is measured against requested bars of another family without such closes", async () => {
    const { quotes, calls } = setup({ one: 103, one2: 103, two: 101 }, { bars: ["one", "one2", "two"] });
    expect((await quotes.latest(us)).origin!.check).toMatchObject({ reason: "near_close", witness: "two" });
    expect(calls).toEqual(["one", "two bars"]);
  });

  it("takes closes of many symbols from one call", async () => {
    const symbols = Array.from({ length: 50 }, (_, i): Instrument => ({ ...us, symbol: `S${i}` }));
    const latestOf: PriceProvider["latestOf"] = async (instruments) =>
      new Map(
        instruments.map(({ symbol }) => [
          symbol,
          providerQuote({ price: 101, previousClose: 100, tradedAt: Date.parse(NOW) }),
        ]),
      );
    const { quotes, calls } = setup(
      { one: 101, two: 101 },
      { witness: { close: 100, last: 101 }, facts: { one: { latestOf, batchSize: 50 } } },
    );
    await quotes.prefetch!(symbols);
    for (const instrument of symbols)
      expect((await quotes.latest(instrument)).price_source).toBe("live_quote");
    expect(calls).toEqual(["closer 50"]);
  });

  it.each([
    ["far from the close", { close: 100, last: 110.5 }, "far_from_close"],
    ["of a volatile symbol", { close: 109, last: 110.5 }, "volatile"],
  ])("%s is live if a price of another family agrees within 1 %", async (_, witness, reason) => {
    const { quotes, calls } = setup(
      { one: 110, two: 90 },
      { stored: "one", range: 3, witness, quote: { previousClose: witness.close } },
    );
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: {
        comparison: { provider: "closer", price: 110.5 },
        check: { reason, witness: "closer", confirmed: true },
      },
    });
    expect(calls).toEqual(["one", "closer 1"]);
  });

  it("asks two other families at most, never one of its own", async () => {
    const agreeing = setup({ one: 110, one2: 110, two: 90, three: 110 }, { stored: "two" });
    expect(await agreeing.quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { witness: "three", confirmed: true } },
    });
    expect(agreeing.calls).toEqual(["one", "two", "three"]);
    const alone = setup({ one: 110, one2: 110, two: 90, three: 91, four: 110 }, { stored: "two" });
    expect((await alone.quotes.latest(us)).price_source).toBe("unconfirmed_quote");
    expect(alone.calls).toEqual(["one", "two", "three"]);
    expect(alone.found).toHaveLength(2);
  });

  it("is not called live without a witness, and is not checked again for a minute", async () => {
    const { quotes, calls, clock } = setup({ one: 101, one2: 101 }, { stored: "one" });
    for (let i = 0; i < 3; i++) {
      expect(await quotes.latest(us)).toMatchObject({
        price: 101,
        price_source: "unconfirmed_quote",
        origin: { check: { reason: "no_close", close: null, witness: null, confirmed: false } },
      });
      clock.move(6_000);
    }
    expect(calls).toEqual(["one", "one", "one"]);
  });

  it("of a multiplied price and previous close is never called live", async () => {
    for (const factor of [1.1, 0.9, 0.5, 4])
      for (const move of [0.88, 1, 1.12]) {
        const price = 100 * move * factor;
        const own = { previousClose: 100 * factor };
        const { quotes } = setup({ one: price, two: 100 * move }, { stored: "two", quote: own });
        expect((await quotes.latest(us)).price_source).toBe("unconfirmed_quote");
      }
  });

  it("on the day of a split needs a second price, and its change is measured from the adjusted close", async () => {
    const actions = { splits: [{ date: "2026-01-15", ratio: 4 }], dividends: [] };
    const { quotes } = setup(
      { one: 25.25, two: 25.25 },
      { stored: "two", actions, quote: { previousClose: 100 } },
    );
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      change: 0.25,
      changePercent: 1,
      origin: { check: { reason: "split_day", close: 25, deviation_percent: 1, confirmed: true } },
    });
    const old = setup({ one: 25.25, two: 101 }, { stored: "two", actions });
    expect((await old.quotes.latest(us)).price_source).toBe("unconfirmed_quote");
  });
});

describe("later quotes of the day", () => {
  it("are measured against the confirmed one, without a further call", async () => {
    const { quotes, calls, clock, now } = setup({ one: 103, two: 101 }, { stored: "two" });
    await quotes.latest(us);
    for (const price of [99, 104]) {
      clock.move(6_000);
      now.one = price;
      expect(await quotes.latest(us)).toMatchObject({
        price_source: "live_quote",
        origin: { check: { reason: "same_day", close: 103, witness: "two", confirmed: true } },
      });
    }
    expect(calls).toEqual(["one", "one", "one"]);
  });

  it("need a second price once they are far from the close that confirmed it, so that no two steps go beyond the limit", async () => {
    for (const [first, second] of [
      [103, 106],
      [97, 94],
    ] as const) {
      const { quotes, clock, now } = setup({ one: first, two: 100 }, { stored: "two" });
      expect((await quotes.latest(us)).price_source).toBe("live_quote");
      clock.move(6_000);
      now.one = second;
      expect(await quotes.latest(us)).toMatchObject({
        price_source: "unconfirmed_quote",
        origin: { check: { reason: "far_from_close", close: 100 } },
      });
    }
  });

  it("need a second price once their provider has another previous close", async () => {
    const own = { previousClose: 100 };
    const { quotes, clock, now } = setup({ one: 97, two: 97 }, { stored: "two", quote: own });
    expect((await quotes.latest(us)).origin!.check).toMatchObject({ reason: "near_close" });
    clock.move(6_000);
    own.previousClose = 106;
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { reason: "other_close", witness: "two" } },
    });
    clock.move(6_000);
    now.two = 90;
    own.previousClose = 108;
    expect((await quotes.latest(us)).price_source).toBe("unconfirmed_quote");
  });

  it("need a second price once they are far from it, which then takes its place", async () => {
    const { quotes, clock, now } = setup({ one: 103, two: 103 }, { stored: "two" });
    await quotes.latest(us);
    clock.move(6_000);
    now.one = 113;
    expect((await quotes.latest(us)).price_source).toBe("unconfirmed_quote");
    clock.move(61_000);
    now.two = 113;
    expect((await quotes.latest(us)).origin!.check).toMatchObject({
      reason: "far_from_close",
      confirmed: true,
    });
    clock.move(6_000);
    now.one = 115;
    expect((await quotes.latest(us)).origin!.check).toMatchObject({ reason: "same_day", close: 113 });
  });

  it("begin anew with another provider and on another day", async () => {
    const { quotes, calls, clock, now } = setup({ one: 103, two: 103 }, { stored: "three" });
    await quotes.latest(us);
    clock.move(6_000);
    now.one = null;
    expect(await quotes.latest(us)).toMatchObject({
      source: "two",
      origin: { check: { reason: "near_close", witness: "three" } },
    });
    clock.move(86_400_000);
    now.one = 103;
    expect((await quotes.latest(us)).origin!.check).toMatchObject({ reason: "no_close", confirmed: true });
    expect(calls).toEqual(["one", "one", "two", "one", "two"]);
  });
});

describe("a quote of a token", () => {
  it("needs a second family once a day", async () => {
    const { quotes, calls, clock } = setup({ one: 100, one2: 100, two: 100.9 });
    expect(await quotes.latest(token)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { reason: "volatile", close: null, witness: "two", confirmed: true } },
    });
    clock.move(6_000);
    expect((await quotes.latest(token)).origin!.check).toMatchObject({ reason: "same_day", close: 100 });
    expect(calls).toEqual(["one", "two", "one"]);
    const apart = setup({ one: 100, two: 101.1 });
    expect((await apart.quotes.latest(token)).price_source).toBe("unconfirmed_quote");
  });
});

describe("the previous close", () => {
  it("is the official one if the provider has none", async () => {
    const quote = { previousClose: null };
    const { quotes } = setup({ one: 103, two: 101 }, { stored: "two", quote });
    expect(await quotes.latest(us)).toMatchObject({ change: 3, changePercent: 3 });
    const batch = setup({ one: 103 }, { witness: { close: 102.5, last: null }, quote });
    expect(await batch.quotes.latest(us)).toMatchObject({ change: 0.5 });
    const none = setup({ one: 103 }, { quote });
    expect(await none.quotes.latest(us)).toMatchObject({ change: null, changePercent: null });
  });
});

describe("a previous close that another family disputes", () => {
  it("is null, and so is the change, also if a second price confirms the price", async () => {
    const { quotes } = setup({ one: 101, two: 101 }, { stored: "two", quote: { previousClose: 50 } });
    expect(await quotes.latest(us)).toMatchObject({
      price: 101,
      price_source: "live_quote",
      change: null,
      changePercent: null,
      origin: { check: { reason: "other_close", confirmed: true } },
    });
  });

  it("stays if it differs by at most 1 %, or if only its own family has another one", async () => {
    const near = setup({ one: 101, two: 101 }, { stored: "two", quote: { previousClose: 101 } });
    expect(await near.quotes.latest(us)).toMatchObject({ change: 0 });
    const own = setup({ one: 101, two: 101 }, { stored: "one2", quote: { previousClose: 50 } });
    expect(await own.quotes.latest(us)).toMatchObject({ change: 51 });
  });
});

describe("isWitnessed", () => {
  it("is true for a price near a confirmed one of its provider and day", async () => {
    const { quotes, checked } = setup({ one: 103, two: 101 }, { stored: "two" });
    const { witness } = checked.checks;
    const cached = { ...(await cachedQuote()), source: "one" };
    expect(witness.isWitnessed(us, { ...cached, price: 103 })).toBe(false);
    await quotes.latest(us);
    const at = (over: object) => witness.isWitnessed(us, { ...cached, price: 104, ...over });
    expect([
      at({}),
      at({ price: 113 }),
      at({ source: "two" }),
      at({ tradedAt: Date.parse("2026-01-16T15:00:00Z") }),
    ]).toEqual([true, false, false, false]);
  });
});

const cachedQuote = async () => {
  const { memory } = shortMemory();
  const clock = settableClock(NOW);
  const one = fakeProvider("one", { clock, latest: async () => providerQuote({ tradedAt: clock.at() }) });
  await liveQuotes({ chain: () => [one], memory, clock }).latest(us);
  return (await memory.quote("AAPL"))!;
};
