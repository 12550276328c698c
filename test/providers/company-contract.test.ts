import { expect } from "vitest";
import { LINES } from "../../src/domain/company/facts.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import { secCompany } from "../../src/providers/sec/company.ts";
import { secInsiders } from "../../src/providers/sec/insiders.ts";
import { secVendor } from "../replay/sec.ts";
import { fetchFrom } from "../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../support/fixed-world.ts";
import { describeProvider } from "../support/provider-contract.ts";

const world = fixedWorld();
const DATE = /^\d{4}-\d\d-\d\d$/;

const edgar = {
  vendor: secVendor,
  honest: fetchFrom(secVendor, world),
};
const request = (instrument: Instrument) => ({ instrument, openMarket: false, count: 6 });

describeProvider("insider trades of the SEC", {
  ...edgar,
  good: request(fixed("AAPL")),
  unsupported: request(fixed("SPY")),
  unknown: { question: request(UNLISTED_STOCK), outcome: "unknown_symbol" },
  make: (fetch) => secInsiders({ fetch, contact: secVendor.key!, now: () => world.now() }),
  plausible({ trades }) {
    for (const { date, filed, shares, price, held_after } of trades) {
      for (const day of [date, filed]) expect(day).toMatch(DATE);
      for (const figure of [shares, price, held_after])
        expect(figure === null || (Number.isFinite(figure) && figure >= 0)).toBe(true);
    }
  },
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(3),
});

describeProvider("company facts of the SEC", {
  good: fixed("AAPL"),
  unsupported: fixed("SPY"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("BRK.B"),
  ...edgar,
  make: (fetch) => secCompany({ fetch, contact: secVendor.key!, now: () => world.now() }),
  plausible({ profile, facts }) {
    expect(profile.cik ?? "").toMatch(/^\d{10}$/);
    for (const { line, start, end, value, filed, accession } of facts) {
      expect(LINES).toContain(line);
      for (const date of [start ?? end, end, filed]) expect(date).toMatch(DATE);
      expect(accession).toMatch(/^\d{10}-\d\d-\d{6}$/);
      expect(Number.isFinite(value)).toBe(true);
    }
  },
  filled: ({ facts }) => expect(facts.length).toBeGreaterThan(20),
});
