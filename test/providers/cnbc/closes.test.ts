import { describe, expect, it } from "vitest";
import { asInstrument, type Instrument } from "../../../src/domain/market/market.ts";
import type { WitnessFigures } from "../../../src/domain/providers/close-provider.ts";
import { cnbc, cnbcIndices } from "../../../src/providers/cnbc/closes.ts";
import { cnbcVendor } from "../../replay/cnbc.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { INSTRUMENTS } from "../../support/providers.ts";
import { kindOf, respondWith, signal, stock } from "../requests.ts";

const AAPL = fixed("AAPL");
const GSPC = asInstrument({ symbol: "^GSPC", name: "S&P 500" });
const VIX = asInstrument({ symbol: "^VIX", name: "VIX" });
/** Row of 2023-02-16, from a third party. */
const LEVEL = {
  symbol: ".SPX",
  code: 0,
  last: "4,098.12",
  last_time: "2023-02-16T15:39:45.000-0500",
  previous_day_closing: "4,147.60",
  currencyCode: "USD",
  type: "INDEX",
};
const ask = (fetch: typeof globalThis.fetch, instruments: readonly Instrument[]) =>
  cnbc({ fetch }).call(instruments, { signal });
const answering = (rows: unknown) =>
  respondWith({ "": { FormattedQuoteResult: { FormattedQuote: rows } } }).fetch;

const ROW = {
  symbol: "AAPL",
  code: 0,
  last: "1,341.07",
  last_time: "2026-09-25T16:00:00.000-0400",
  previous_day_closing: "1,335.92",
  currencyCode: "USD",
  curmktstatus: "POST_MKT",
  ExtendedMktQuote: { type: "POST_MKT", last: "1,340.00", last_time: "2026-09-25T17:30:00.000-0400" },
};
const read = async (over: object): Promise<WitnessFigures | undefined> =>
  (await ask(answering([{ ...ROW, ...over }]), [AAPL])).get("AAPL");

describeProvider("cnbc", {
  make: (fetch) => cnbc({ fetch }),
  honest: fetchFrom(cnbcVendor, fixedWorld()),
  vendor: cnbcVendor,
  good: [AAPL],
  unsupported: [INSTRUMENTS.token],
  unknown: { question: [UNLISTED_STOCK], outcome: "unknown_symbol" },
  other: [fixed("SPY")],
  accept: { shapes: ["unknown_symbol"] },
  plausible: (answer) => {
    for (const { closes, last } of answer.values())
      for (const price of [...closes.map(({ close }) => close), ...(last === null ? [] : [last.price])])
        expect(price).toBeGreaterThan(0);
  },
  filled: (answer) => expect(answer.get("AAPL")!.closes.length).toBeGreaterThan(0),
});

describe("cnbc", () => {
  it("has the closes of two sessions after the close, and the newest trade outside the session", async () => {
    expect(await read({})).toEqual({
      closes: [
        { day: "2026-09-25", close: 1341.07 },
        { day: "2026-09-24", close: 1335.92 },
      ],
      last: { price: 1340, tradedAt: Date.parse("2026-09-25T21:30:00Z") },
    });
  });

  it("has only the close of the session before while the session lasts", async () => {
    const last_time = "2026-09-28T11:00:00.000-0400";
    expect(await read({ last_time, ExtendedMktQuote: undefined })).toEqual({
      closes: [{ day: "2026-09-25", close: 1335.92 }],
      last: { price: 1341.07, tradedAt: Date.parse("2026-09-28T15:00:00Z") },
    });
  });

  it.each([
    ["without a price", { last: "UNCH" }],
    ["without a time", { last_time: "garbage" }],
    ["of a day without a session", { last_time: "2026-09-26T16:00:00.000-0400" }],
  ])("leaves out a row %s", async (_, over) => {
    const rows = [
      { ...ROW, ...over },
      { ...ROW, symbol: "SPY" },
    ];
    expect([...(await ask(answering(rows), [AAPL, fixed("SPY")])).keys()]).toEqual(["SPY"]);
  });

  it("reads a single row that is no list, and refuses a row of another symbol", async () => {
    expect((await ask(answering(ROW), [AAPL])).size).toBe(1);
    expect(await kindOf(ask(answering([ROW]), [fixed("SPY")]))).toBe("malformed");
  });

  it("requests 50 symbols in one call, and no more", async () => {
    const { fetch, requests } = respondWith({ "": { FormattedQuoteResult: { FormattedQuote: [ROW] } } });
    const many = [
      AAPL,
      ...Array.from({ length: 50 }, (_, i) =>
        stock(`A${String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26))}`),
      ),
    ];
    await ask(fetch, many.slice(0, 50));
    expect(requests).toHaveLength(1);
    expect(new URL(requests[0]!).searchParams.get("symbols")!.split("|")).toHaveLength(50);
    expect(await kindOf(ask(fetch, many))).toBe("unsupported");
  });
});

describeProvider("cnbc, indices", {
  make: (fetch) => cnbcIndices({ fetch }),
  honest: fetchFrom(cnbcVendor, fixedWorld()),
  vendor: cnbcVendor,
  good: [GSPC],
  unsupported: [AAPL],
  unknown: { question: [asInstrument({ symbol: "^DJI", name: "Dow" })], outcome: "unknown_symbol" },
  other: [VIX],
  accept: { shapes: ["unknown_symbol"] },
  plausible: (answer) => {
    for (const { closes, last } of answer.values())
      for (const price of [...closes.map(({ close }) => close), ...(last === null ? [] : [last.price])])
        expect(price).toBeGreaterThan(0);
  },
  filled: (answer) => expect(answer.get("^GSPC")!.closes.length).toBeGreaterThan(0),
});

describe("cnbc's indices", () => {
  const levels = async (index: Instrument, over: object) =>
    (await cnbcIndices({ fetch: answering([{ ...LEVEL, ...over }]) }).call([index], { signal })).get(
      index.symbol,
    );

  it("have the level with its time and the close of the session before", async () => {
    expect(await levels(GSPC, {})).toEqual({
      closes: [{ day: "2023-02-15", close: 4147.6 }],
      last: { price: 4098.12, tradedAt: Date.parse("2023-02-16T20:39:45Z") },
    });
  });

  it("have the close of the day from the close of the index on, that of options at 16:15", async () => {
    const last_time = "2023-02-16T16:10:00.000-0500";
    expect((await levels(GSPC, { last_time }))!.closes.map(({ day }) => day)).toEqual([
      "2023-02-16",
      "2023-02-15",
    ]);
    const before = { symbol: ".VIX", last: "20.17", previous_day_closing: "18.23" };
    expect((await levels(VIX, { ...before, last_time }))!.closes).toEqual([
      { day: "2023-02-15", close: 18.23 },
    ]);
    const later = "2023-02-16T16:15:01.000-0500";
    expect((await levels(VIX, { ...before, last_time: later }))!.closes[0]).toEqual({
      day: "2023-02-16",
      close: 20.17,
    });
  });
});
