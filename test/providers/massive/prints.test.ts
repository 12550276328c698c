import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { massivePrints } from "../../../src/providers/massive/prints.ts";
import { massiveVendor } from "../../replay/massive.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausiblePrints, somePrints } from "../../support/plausible-prints.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, parameters, readJson, respondWith, signal } from "../requests.ts";

const key = massiveVendor.key!;
const about = (instrument: Instrument, date = "2025-12-02", minNotional = 200_000) => ({
  instrument,
  date,
  minNotional,
});

describeProvider("massive, prints", {
  make: (fetch) => massivePrints({ fetch, key }),
  honest: fetchFrom(massiveVendor, fixedWorld()),
  vendor: massiveVendor,
  good: about(fixed("AAPL")),
  unsupported: about(fixed("BTC-USD")),
  unknown: { question: about(UNLISTED_STOCK), outcome: "none" },
  plausible: plausiblePrints,
  filled: somePrints,
});

function respond(body: unknown, status = 200) {
  const { fetch, requests } = respondWith({ "": body }, { status });
  return { provider: massivePrints({ fetch, key }), requests };
}

describeWithData("massive as its own client has it", ["fixtures", "polygon"], (folder) => {
  it.each(["v3_trades_AAPL_limit2.json", "trades_AAPL.json"])(
    "drops trades of an exchange, whatever reporting facility they name: %s",
    async (name) => {
      const { provider } = respond(readJson(folder, name));
      const { prints } = await provider.call(about(fixed("AAPL"), "2022-04-28", 0), { signal });
      expect(prints).toEqual([]);
    },
  );

  it("matches the documented exchange id 4 of the reporting facilities, and sale conditions", () => {
    const results = (file: string) =>
      readJson<{ results: readonly { id: number; name: string }[] }>(folder, file).results;
    const four = results("v3_reference_exchanges.json").filter(({ id }) => id === 4);
    expect(four.every(({ name }) => name.startsWith("FINRA"))).toBe(true);
    const conditions = results("v3_conditions_stocks.json");
    const nameOf = (of: number) => conditions.find(({ id }) => id === of)!.name;
    expect([2, 5, 7, 10].map(nameOf)).toEqual([
      "Average Price Trade",
      "Bunched Sold Trade",
      "Cash Sale",
      "Derivatively Priced",
    ]);
  });
});

const AT = Date.UTC(2022, 3, 28, 15);
const TRADE = {
  exchange: 4,
  id: "71",
  trf_id: 202,
  price: 100,
  size: 5_000,
  participant_timestamp: (AT - 500) * 1e6,
  sip_timestamp: AT * 1e6,
  trf_timestamp: AT * 1e6,
};
const result = (results: readonly object[], more: object = {}) => respond({ status: "OK", results, ...more });

describe("massive, prints", () => {
  it("returns the times of trade and report", async () => {
    const { provider, requests } = result([TRADE]);
    const { prints } = await provider.call(about(fixed("BRK.B"), "2022-04-28"), { signal });
    expect(prints).toEqual([
      {
        id: `${AT}-202-71`,
        price: 100,
        size: 5_000,
        executedAt: AT - 500,
        reportedAt: AT,
        conditions: [],
        nbbo: null,
      },
    ]);
    expect(requests[0]).toContain("/v3/trades/BRK.B?");
    expect(parameters(requests, "timestamp.gte")).toEqual([`${Date.UTC(2022, 3, 28, 4)}000000`]);
  });

  it.each([
    [{ trf_id: undefined }, null],
    [{ exchange: 12 }, null],
    [{ conditions: [12, 37] }, []],
    [{ conditions: [2] }, ["average_price"]],
    [{ conditions: [22] }, ["prior_reference"]],
    [{ conditions: [53] }, ["contingent"]],
    [{ conditions: [10, 32] }, ["derivative_priced", "late"]],
    [{ correction: 8 }, ["cancelled"]],
    [{ correction: 1 }, []],
    [{ participant_timestamp: (AT - 10_001) * 1e6 }, ["late"]],
  ])("reads %j", async (change, conditions) => {
    const { prints } = await result([{ ...TRADE, ...change }]).provider.call(about(fixed("AAPL")), {
      signal,
    });
    expect(prints.map((print) => print.conditions)).toEqual(conditions === null ? [] : [conditions]);
  });

  it("follows the next page at its own address only, for at most three pages", async () => {
    const { provider, requests } = result([TRADE], {
      next_url: "https://elsewhere.example/v3/trades/AAPL?cursor=abc",
    });
    const { completeFrom } = await provider.call(about(fixed("AAPL")), { signal });
    const next = "https://api.massive.com/v3/trades/AAPL?cursor=abc";
    expect(requests).toEqual([expect.stringMatching("^https://api.massive.com/v3/trades/AAPL"), next, next]);
    expect(completeFrom).toBe(AT + 1);
  });

  it("is not called again if the plan has no trades", async () => {
    const { provider, requests } = respond({ status: "NOT_AUTHORIZED", message: "not entitled" }, 403);
    for (const _ of [1, 2])
      expect(await kindOf(provider.call(about(fixed("AAPL")), { signal }))).toBe("unsupported");
    expect(requests).toHaveLength(1);
  });
});
