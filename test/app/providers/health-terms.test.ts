import { expect, it } from "vitest";
import { withTerms } from "../../../src/app/providers/health-terms.ts";

it("the health of each provider has what its terms forbid", async () => {
  const reports = ["yahoo", "alpaca news", "kraken", "bitstamp"].map((name) => ({
    name,
    healthy: true,
    latency_ms: 5,
    answering: true,
  }));
  const health = withTerms({ current: () => reports, report: async () => reports });
  const expected = [
    { forbids_automation: true, non_commercial: true, no_redistribution: true },
    { forbids_automation: false, non_commercial: false, no_redistribution: true },
    { forbids_automation: false, non_commercial: false, no_redistribution: false },
    undefined, // an exchange of ccxt, whose terms are not known here
  ];
  expect(health.current().map(({ terms }) => terms)).toEqual(expected);
  expect((await health.report()).map(({ terms }) => terms)).toEqual(expected);
});
