import { describe, expect, it } from "vitest";
import type { ProviderTimeframe } from "../../../src/domain/market/bars.ts";
import type {
  PriceProvider,
  ProviderBars,
  ProviderQuote,
} from "../../../src/domain/providers/price-provider.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { checkProvider } from "../../../src/providers/shared/check.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT } from "../../support/fixed-world.ts";
import { plainPriceProvider, plainVendor } from "../../support/plain-price-provider.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const honest = plainPriceProvider({ fetch: fetchFrom(plainVendor, fixedWorld()) });

const check = (source: PriceProvider, { instruments = [fixed("AAPL")], now = MOMENT } = {}) =>
  checkProvider(source, { instruments, signal: new AbortController().signal, now: () => now });

/** The correct provider with its responses changed. */
const changed = ({
  bars = (given) => given,
  quote = (given) => given,
  ...traits
}: Partial<PriceProvider> & {
  bars?: (given: ProviderBars, timeframe: ProviderTimeframe) => ProviderBars;
  quote?: (given: ProviderQuote) => ProviderQuote;
}): PriceProvider => ({
  ...honest,
  reaches: { "1d": Number.POSITIVE_INFINITY },
  history: async (instrument, request) => bars(await honest.history!(instrument, request), request.timeframe),
  latest: async (instrument, options) => quote(await honest.latest!(instrument, options)),
  ...traits,
});
const closing = (given: ProviderBars, keep: (time: number, index: number) => boolean): ProviderBars => ({
  ...given,
  bars: given.bars.filter(({ time }, index) => keep(time, index)),
});
const outcomes = async (source: PriceProvider, options = {}) =>
  (await check(source, options)).map(({ name, state }) => `${name}: ${state}`);

describe("the check of a real provider", () => {
  it("blames no provider for a request that the caller stopped", async () => {
    const stop = new AbortController();
    const latest = async () => {
      stop.abort();
      throw new ProviderFailure("timeout", "the caller aborted");
    };
    const options = { instruments: [fixed("AAPL")], signal: stop.signal, now: () => MOMENT };
    const findings = await checkProvider(changed({ latest }), options);
    expect(findings.map(({ name, state }) => `${name}: ${state}`)).toEqual(["plain AAPL 1d: ok"]);
  });

  it("passes a correct provider", async () => {
    expect(await check(honest, { instruments: [fixed("AAPL"), fixed("BTC-USD")] })).toMatchObject([
      { name: "plain AAPL 1d", state: "ok", detail: "31 of 31 bars, newest 2025-12-02T00:00:00.000Z" },
      { name: "plain AAPL 4h", state: "ok" },
      { name: "plain AAPL 1h", state: "ok" },
      { name: "plain AAPL 30m", state: "ok" },
      { name: "plain AAPL 15m", state: "ok" },
      { name: "plain AAPL 5m", state: "ok", detail: expect.stringContaining("2025-12-03T15:35:00.000Z") },
      { name: "plain AAPL 1m", state: "ok", detail: expect.stringContaining("2025-12-03T15:41:00.000Z") },
      { name: "plain AAPL quote", state: "ok", detail: "252.2 USD, traded 2025-12-03T15:42:00.000Z" },
      { name: "plain BTC-USD 1d", state: "ok" },
      { name: "plain BTC-USD 4h", state: "ok" },
      { name: "plain BTC-USD 1h", state: "ok" },
      { name: "plain BTC-USD 30m", state: "ok" },
      { name: "plain BTC-USD 15m", state: "ok" },
      { name: "plain BTC-USD 5m", state: "ok" },
      { name: "plain BTC-USD 1m", state: "ok" },
      { name: "plain BTC-USD quote", state: "ok" },
      { name: "plain ZZQXQ quote", state: "ok", detail: "unknown, as expected" },
      { name: "plain ZZQXQ 1d", state: "ok", detail: "unknown, as expected" },
      { name: "plain ZZQXQ-USD quote", state: "ok" },
      { name: "plain ZZQXQ-USD 1d", state: "ok" },
    ]);
  });

  it("requests only data that the provider serves", async () => {
    const { history: _, ...quoting } = changed({ serves: new Set(["equity"]), reaches: {} });
    expect(await outcomes(quoting, { instruments: [fixed("BTC-USD"), fixed("AAPL")] })).toEqual([
      "plain AAPL quote: ok",
      "plain ZZQXQ quote: ok",
    ]);
  });

  it("fails if many bars are missing and notes a few", async () => {
    const [most] = await check(changed({ bars: (given) => closing(given, (_, index) => index % 3 !== 1) }));
    expect(most).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("first missing: 2025-10-2"),
    });
    const [one] = await check(changed({ bars: (given) => closing(given, (_, index) => index !== 5) }));
    expect(one).toMatchObject({ state: "note", detail: expect.stringContaining("30 of 31 bars") });
  });

  it("notes a newest bar that is one session late, and fails one that is a week old", async () => {
    const until = (last: number) => changed({ bars: (given) => closing(given, (time) => time <= last) });
    expect((await check(until(Date.UTC(2025, 11, 1))))[0]).toEqual({
      name: "plain AAPL 1d",
      state: "note",
      detail:
        "30 of 30 bars, newest 2025-12-01T00:00:00.000Z, but the closed bar of 2025-12-02T00:00:00.000Z is missing",
    });
    expect((await check(until(Date.UTC(2025, 10, 25))))[0]).toMatchObject({
      state: "fail",
      detail: "newest 2025-11-25T00:00:00.000Z, but the closed bar of 2025-12-02T00:00:00.000Z is missing",
    });
  });

  it("does not request bars that a delayed provider cannot have yet", async () => {
    const lag = 30;
    const source = changed({
      reaches: { "5m": 60 },
      barDelayMinutes: lag,
      bars: (given) => closing(given, (time) => time + 5 * MINUTE <= MOMENT - lag * MINUTE),
    });
    expect((await check(source))[0]).toMatchObject({ state: "ok" });
    expect((await check({ ...source, barDelayMinutes: 0 }))[0]).toMatchObject({ state: "note" });
  });

  it("fails for impossible bars, and for no bars", async () => {
    const negative = changed({
      bars: (given) => ({ ...given, bars: given.bars.map((row) => ({ ...row, low: -1 })) }),
    });
    expect((await check(negative))[0]).toMatchObject({ state: "fail", detail: /^malformed: / });
    expect((await check(changed({ bars: (given) => closing(given, () => false) })))[0]).toMatchObject({
      state: "fail",
      detail: "no closed bars",
    });
  });

  it.each<[string, Partial<ProviderQuote>, string, RegExp]>([
    ["a price of nothing", { price: 0 }, "fail", /^malformed/],
    ["a trade of tomorrow", { tradedAt: MOMENT + DAY }, "fail", /^malformed/],
    ["a trade of last week", { tradedAt: MOMENT - 7 * DAY }, "fail", /^too old/],
    [
      "a price in cents",
      { price: 25_220 },
      "fail",
      /far from the provider's own newest daily close of 251.67 USD/,
    ],
    ["an hour-old trade", { tradedAt: MOMENT - 60 * MINUTE }, "note", /^not live while the market is open/],
  ])("judges %s", async (_, wrong, state, detail) => {
    const findings = await check(changed({ quote: (given) => ({ ...given, ...wrong }) }));
    expect(findings[1]).toMatchObject({
      name: "plain AAPL quote",
      state,
      detail: expect.stringMatching(detail),
    });
  });

  it("allows for a provider's usual delay, and ignores age while the market is closed", async () => {
    const hourOld = changed({
      delayMinutes: 60,
      quote: (given) => ({ ...given, tradedAt: MOMENT - 60 * MINUTE }),
    });
    expect((await check(hourOld))[1]).toMatchObject({ state: "ok" });
    const evening = changed({});
    expect((await check(evening, { now: Date.UTC(2025, 11, 4, 4) }))[1]).toMatchObject({ state: "ok" });
  });

  it("fails for a provider that has data of an unlisted symbol", async () => {
    const anything = changed({
      latest: async (_, options) => honest.latest!(fixed("AAPL"), options),
      history: async (_, request) => honest.history!(fixed("AAPL"), request),
    });
    expect((await outcomes(anything)).slice(2)).toEqual(["plain ZZQXQ quote: fail", "plain ZZQXQ 1d: fail"]);
  });

  it("accepts an empty list of bars for an unlisted symbol", async () => {
    const silent = changed({
      history: async (instrument, request) => {
        const given = await honest.history!(fixed("AAPL"), request);
        return instrument.symbol === "AAPL" ? given : { ...given, bars: [] };
      },
    });
    expect((await check(silent)).at(-1)).toMatchObject({ state: "ok", detail: "no data" });
  });

  it.each(["rate_limited", "auth", "blocked", "timeout"] as const)(
    "makes no further request after %s",
    async (kind) => {
      const refusing = changed({ history: () => Promise.reject(new ProviderFailure(kind, "status 000")) });
      expect(await check(refusing)).toEqual([
        { name: "plain AAPL 1d", state: "fail", detail: `${kind}: status 000` },
      ]);
    },
  );

  it.each(["down", "malformed", "unsupported"] as const)("continues after %s", async (kind) => {
    const failing = changed({ history: () => Promise.reject(new ProviderFailure(kind, "status 000")) });
    expect(await outcomes(failing)).toEqual([
      "plain AAPL 1d: fail",
      "plain AAPL quote: ok",
      "plain ZZQXQ quote: ok",
      // Not supporting a symbol counts as rejecting it.
      `plain ZZQXQ 1d: ${kind === "unsupported" ? "ok" : "fail"}`,
    ]);
  });

  it.each(["down", "malformed"] as const)("stops after three %s failures in a row", async (kind) => {
    const lost = () => Promise.reject(new ProviderFailure(kind, "status 500"));
    const broken = changed({ reaches: { "1d": 100, "1h": 100, "5m": 60 }, history: lost, latest: lost });
    expect(await outcomes(broken)).toEqual([
      "plain AAPL 1d: fail",
      "plain AAPL 1h: fail",
      "plain AAPL 5m: fail",
    ]);
  });

  it("reports an unexpected error without its message", async () => {
    const broken = changed({ latest: () => Promise.reject(new TypeError("vendor words")) });
    expect((await check(broken))[1]).toEqual({
      name: "plain AAPL quote",
      state: "fail",
      detail: "unexpected error",
    });
  });
});
