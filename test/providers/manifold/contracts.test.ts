import { describe, expect, it } from "vitest";
import { manifoldContracts, readQuestions } from "../../../src/providers/manifold/contracts.ts";
import { manifoldVendor } from "../../replay/manifold.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { plausibleContracts } from "../../support/contracts.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { readJson } from "../requests.ts";

const world = fixedWorld();
const now = () => world.now();

describeProvider("manifold", {
  make: (fetch) => manifoldContracts({ fetch, now }),
  honest: fetchFrom(manifoldVendor, world),
  vendor: manifoldVendor,
  good: "AAPL",
  // Responses do not contain the question; the topic is read from their text.
  unknown: { question: "nothing of the kind", outcome: "none" },
  none: ["[]"],
  plausible: plausibleContracts,
  filled: ({ contracts, dropped }) => expect([contracts.length, dropped]).toEqual([2, 2]),
});

const AT = Date.parse("2026-08-18T12:00:00Z");
const question = (over: Record<string, unknown> = {}) => ({
  id: "q1",
  question: "Will it?",
  url: "https://manifold.markets/someone/will-it",
  probability: 0.25,
  volume: 840.5,
  volume24Hours: 65,
  totalLiquidity: 100,
  closeTime: AT + 86_400_000,
  isResolved: false,
  outcomeType: "BINARY",
  token: "MANA",
  ...over,
});

describe("a Manifold question", () => {
  it("uses play money, priced by an automated market maker", () => {
    expect(readQuestions([question()], AT).contracts).toMatchObject([
      {
        probability: 0.25,
        probability_basis: "amm",
        bid: null,
        ask: null,
        spread: null,
        volume_total: 840.5,
        volume_unit: "MANA",
        liquidity: 100,
        liquidity_unit: "MANA",
        close_time: "2026-08-19T12:00:00.000Z",
      },
    ]);
  });

  it.each([
    { isResolved: true },
    { closeTime: AT },
    { probability: undefined },
    { outcomeType: "MULTIPLE_CHOICE" },
    { token: "CASH" },
  ])("is left out with %j", (over) => {
    expect(readQuestions([question(over)], AT)).toEqual({ contracts: [], dropped: 1 });
  });

  it("drops a URL of another host", () => {
    const elsewhere = question({ url: "https://manifold.markets.evil.example/x" });
    expect(readQuestions([elsewhere], AT).contracts).toMatchObject([{ url: null }]);
  });
});

describeWithData("recorded Manifold answers", ["fixtures", "manifold"], (path) => {
  it("are parsed", () => {
    const body = readJson(path, "search-markets_fed_2026-08.json");
    const { contracts, dropped } = readQuestions(body, AT);
    expect(dropped).toBe(0);
    expect(contracts.map(({ question, probability }) => [question, probability])).toEqual([
      ["Will the Fed cut rates by 25 bps at its next meeting?", 0.029390530720346433],
      ["Will the Fed cut rates by at least 25 bps at the Sept. 16, 2026 FOMC meeting?", 0.011657194517287568],
      ["Will the Fed cut rates by at least 25 bps at the Oct. 28, 2026 FOMC meeting?", 0.08173166009073281],
    ]);
    expect(contracts[0]!.url).toBe(
      "https://manifold.markets/subhamsingh/will-the-fed-cut-rates-by-25-bps-at-N6AnPp8uC8",
    );
  });
});
