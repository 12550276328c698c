import { expect } from "vitest";
import { alphavantageEarnings } from "../../src/providers/alphavantage/earnings.ts";
import { finnhubEarnings, finnhubReportDays } from "../../src/providers/finnhub/earnings.ts";
import { nasdaqEarnings, nasdaqReportDays } from "../../src/providers/nasdaq/earnings.ts";
import { secFilings } from "../../src/providers/sec/filings.ts";
import { yahooEarnings } from "../../src/providers/yahoo/earnings.ts";
import { alphavantageVendor } from "../replay/alphavantage.ts";
import { finnhubVendor } from "../replay/finnhub.ts";
import { nasdaqVendor } from "../replay/nasdaq.ts";
import { reportsOf } from "../replay/reports.ts";
import { secVendor } from "../replay/sec.ts";
import { fetchFrom, type Vendor } from "../replay/vendor.ts";
import { yahooVendor } from "../replay/yahoo.ts";
import { plausibleDate, plausibleEarnings, plausibleFilings } from "../support/earnings.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../support/fixed-world.ts";
import { describeProvider } from "../support/provider-contract.ts";

const world = fixedWorld();
const now = () => world.now();
const of = (vendor: Vendor) => ({ vendor, honest: fetchFrom(vendor, world) });
const company = {
  good: fixed("AAPL"),
  unsupported: fixed("SPY"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("BRK.B"),
} as const;
const { other: _, ...echoless } = company;
const earnings = {
  plausible: plausibleEarnings,
  filled: ({ reports }: { readonly reports: readonly unknown[] }) =>
    expect(reports.length).toBeGreaterThan(1),
};
const newest = reportsOf(fixed("AAPL"), world).find(({ out }) => out)!;
const day = {
  good: { date: newest.date },
  other: { date: reportsOf(fixed("BRK.B"), world).find(({ out }) => out)!.date },
  plausible: ({ reports }: { readonly reports: readonly Parameters<typeof plausibleDate>[0][] }) =>
    reports.forEach(plausibleDate),
  filled: ({ reports }: { readonly reports: readonly { readonly symbol: string }[] }) =>
    expect(reports.map(({ symbol }) => symbol)).toContain("AAPL"),
};

/** Serves valid cookie and crumb responses; other responses to those requests have their own tests. */
const pastCrumbs =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    String(input).includes("quoteSummary") ? fetch(input, init) : fetchFrom(yahooVendor, world)(input, init);

describeProvider("Yahoo's earnings", {
  ...company,
  ...of(yahooVendor),
  ...earnings,
  make: (fetch) => yahooEarnings({ fetch: pastCrumbs(fetch), now }),
});

describeProvider("Nasdaq's table of surprises", {
  // The response does not contain the symbol.
  ...echoless,
  ...of(nasdaqVendor),
  ...earnings,
  make: (fetch) => nasdaqEarnings({ fetch }),
});

describeProvider("Nasdaq's calendar", {
  ...day,
  ...of(nasdaqVendor),
  make: (fetch) => nasdaqReportDays({ fetch }),
});

describeProvider("Finnhub's calendar of a company", {
  ...company,
  ...of(finnhubVendor),
  ...earnings,
  make: (fetch) => finnhubEarnings({ fetch, key: finnhubVendor.key!, now }),
});

describeProvider("Finnhub's calendar of a day", {
  ...day,
  ...of(finnhubVendor),
  make: (fetch) => finnhubReportDays({ fetch, key: finnhubVendor.key!, now }),
});

describeProvider("Alpha Vantage's earnings", {
  ...company,
  ...of(alphavantageVendor),
  keyInUrl: true,
  ...earnings,
  make: (fetch) => alphavantageEarnings({ fetch, key: alphavantageVendor.key! }),
});

describeProvider("filings with the SEC", {
  ...company,
  ...of(secVendor),
  make: (fetch) => secFilings({ fetch, contact: secVendor.key!, now }),
  plausible: plausibleFilings,
  filled: ({ quarters, releases }) => expect(Math.min(quarters.length, releases.length)).toBeGreaterThan(4),
});
