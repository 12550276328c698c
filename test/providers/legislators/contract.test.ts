import { expect } from "vitest";
import { legislators } from "../../../src/providers/legislators/roster.ts";
import { legislatorsVendor } from "../../replay/legislators.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { remembered } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });

describeProvider("the roster of Congress", {
  make: (fetch) => legislators({ fetch }),
  honest: remembered(legislatorsVendor, world),
  vendor: legislatorsVendor,
  good: null,
  plausible: ({ legislators: people }) => {
    for (const { id, terms } of people) {
      expect(id).toMatch(/^[A-Z]\d{6}$/);
      for (const { state } of terms) expect(state).toMatch(/^[A-Z]{2}$/);
    }
  },
  filled: ({ legislators: people }) => expect(people).toHaveLength(430),
});
