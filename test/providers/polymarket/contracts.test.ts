import { describe, expect, it } from "vitest";
import { polymarketContracts, readMarkets } from "../../../src/providers/polymarket/contracts.ts";
import { polymarketVendor } from "../../replay/polymarket.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { plausibleContracts } from "../../support/contracts.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { readJson } from "../requests.ts";

const world = fixedWorld();
describeProvider("polymarket", {
  make: (fetch) => polymarketContracts({ fetch }),
  honest: fetchFrom(polymarketVendor, world),
  vendor: polymarketVendor,
  good: "AAPL",
  // Responses do not contain the question; the topic is read from their text.
  unknown: { question: "nothing of the kind", outcome: "none" },
  plausible: plausibleContracts,
  filled({ contracts, dropped }) {
    const truth = world.contracts("AAPL", "simex");
    // one similar market, and one settled market in each event
    expect(contracts).toHaveLength(truth.length + 1);
    expect(dropped).toBe(new Set(truth.map(({ event }) => event)).size);
  },
});

const market = (over: Record<string, unknown> = {}) => ({
  id: "7",
  question: "Will it?",
  slug: "will-it",
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.3", "0.7"]',
  bestBid: 0.28,
  bestAsk: 0.34,
  volume: "12000.5",
  endDate: "2026-12-01T00:00:00Z",
  closed: false,
  active: true,
  acceptingOrders: true,
  ...over,
});
const one = (over: Record<string, unknown> = {}) => readMarkets([market(over)]).contracts[0];

describe("a Polymarket market", () => {
  it("is priced at the midpoint of its order book", () => {
    expect(one()).toMatchObject({
      probability: 0.31,
      probability_basis: "mid",
      bid: 0.28,
      ask: 0.34,
      spread: 0.06,
      outcome: "Yes",
      volume_total: 12000.5,
      volume_unit: "USD",
      status: "open",
    });
  });

  it("is priced as displayed if its order book is wide or one-sided, and names the basis of the price", () => {
    const wide = { bestBid: 0.1, bestAsk: 0.5 };
    expect(one(wide)).toMatchObject({ probability: 0.3, probability_basis: "mid", spread: 0.4 });
    expect(one({ ...wide, outcomePrices: '["0.42", "0.58"]' })).toMatchObject({
      probability: 0.42,
      probability_basis: "last",
    });
    expect(one({ bestBid: 0, bestAsk: 0.4 })).toMatchObject({
      probability: 0.3,
      probability_basis: "last",
      bid: null,
      spread: null,
    });
  });

  it("never uses the last trade as a price", () => {
    const silent = { bestBid: 0, bestAsk: 1, outcomePrices: undefined, lastTradePrice: 1 };
    expect(one(silent)).toMatchObject({ probability: null, probability_basis: null, bid: null, ask: null });
  });

  it("reads its outcomes by name, in any order", () => {
    const turned = {
      outcomes: '["No", "Yes"]',
      outcomePrices: '["0.7", "0.3"]',
      bestBid: 0.66,
      bestAsk: 0.72,
    };
    expect(one(turned)).toMatchObject({ outcome: "Yes", probability: 0.31, bid: 0.28, ask: 0.34 });
    expect(one({ outcomes: '["Down", "Up"]', bestBid: 0.66, bestAsk: 0.72 })).toMatchObject({
      outcome: "Up",
      probability: 0.31,
    });
    expect(one({ outcomes: ["Reds", "Blues"] })).toMatchObject({ outcome: "Reds", probability: 0.31 });
  });

  it.each([
    { closed: true },
    { archived: true },
    { active: false },
    { outcomePrices: '["0", "1"]' },
    { outcomePrices: '["1", "0"]' },
  ])("is left out with %j", (over) => {
    expect(readMarkets([market(over)])).toEqual({ contracts: [], dropped: 1 });
  });

  it("is paused while it accepts no orders", () => {
    expect(one({ acceptingOrders: false })).toMatchObject({ status: "paused" });
  });

  it.each([{ id: null }, { question: 3 }, { outcomes: "[" }, { outcomes: '["Yes"]' }, { closed: "no" }])(
    "is dropped with %j, and fails if there are no others",
    (over) => {
      expect(readMarkets([market(), market({ id: "8", ...over })])).toMatchObject({ dropped: 1 });
      expect(() => readMarkets([market(over)])).toThrow("no row can be read");
    },
  );

  it("sanitizes its text, and has no URL for an invalid slug", () => {
    const result = one({ question: "Will \u001b[31mit\u202e rise?\nIgnore", slug: "../../x" });
    expect(result).toMatchObject({ question: "Will it rise? Ignore", url: null });
    expect(one({ question: "x".repeat(900) })!.question).toHaveLength(240);
  });
});

describeWithData("recorded Polymarket answers", ["fixtures", "polymarket"], (path) => {
  const read = (file: string) => readMarkets(readJson(path, file));
  const search = (name: string) => read(`public-search_or_event_2026-08_poly_${name}.json`);

  it("are parsed, settled markets left out", () => {
    const counts = (answer: ReturnType<typeof read>) => [answer.contracts.length, answer.dropped];
    expect(counts(search("search_meta"))).toEqual([20, 8]);
    expect(counts(search("search_polluted"))).toEqual([3, 20]);
    expect(counts(search("event_mixed_live_and_resolved"))).toEqual([3, 5]);
    expect(counts(search("event_up_down_binary"))).toEqual([1, 0]);
    expect(counts(read("gamma_events_2026-07.json"))).toEqual([2, 6]);
    expect(counts(read("gamma_markets_2026-07.json"))).toEqual([3, 0]);
    expect(counts(read("gamma_market_by_slug_2026-08.json"))).toEqual([1, 0]);
  });

  it("give the probability of the named outcome", () => {
    const [contract] = search("event_up_down_binary").contracts;
    expect(contract).toMatchObject({
      question: "Meta (META) Up or Down on August 19?",
      outcome: "Up",
      probability: 0.55,
      probability_basis: "mid",
      bid: 0.52,
      ask: 0.58,
      spread: 0.06,
      volume_total: 38.154135,
      close_time: "2026-08-19T20:00:00.000Z",
    });
  });

  it("include a market that is open after its end date, in its event", () => {
    const { contracts } = search("event_mixed_live_and_resolved");
    expect(contracts.map(({ question, probability }) => [question, probability])).toEqual([
      ["Fed rate cut by September 2026 meeting?", 0.0095],
      ["Fed rate cut by October 2026 meeting?", 0.0435],
      ["Fed rate cut by December 2026 meeting?", 0.135],
    ]);
    expect(new Set(contracts.map(({ event, event_title }) => `${event} ${event_title}`))).toEqual(
      new Set(["106884 Fed rate cut by...?"]),
    );
  });

  it.each(["clob_book_2026-07.json", "clob_book_2026-08.json"])(
    "without markets are rejected: %s",
    (file) => {
      expect(() => read(file)).toThrow("unexpected response");
    },
  );
});
