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
import { yahooVendor } from "../replay/yahoo.ts";
import { plausibleDate, plausibleEarnings, plausibleFilings } from "../support/earnings.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../support/fixed-world.ts";
import { describeProvider } from "../support/provider-contract.ts";

const world = fixedWorld();
const now = () => world.now();
const company = {
  world,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  other: fixed("BRK.B"),
  unsupported: [fixed("SPY"), fixed("BTC-USD")],
};
const [, newest] = reportsOf(fixed("AAPL"), world);
const day = {
  world,
  good: { date: newest!.date },
  unknown: null,
  other: { date: "2025-12-02" },
  unsupported: [],
  plausible: ({ reports }: { readonly reports: readonly Parameters<typeof plausibleDate>[0][] }) =>
    reports.forEach(plausibleDate),
};

describeProvider("Yahoo's earnings", {
  ...company,
  make: (fetch) => yahooEarnings({ fetch, now }),
  vendor: yahooVendor,
  plausible: plausibleEarnings,
  // until there is a crumb nothing else is read, and what is none is a wall
  accept: { shapes: ["blocked"] },
});

describeProvider("Nasdaq's table of surprises", {
  ...company,
  make: (fetch) => nasdaqEarnings({ fetch }),
  vendor: nasdaqVendor,
  // it names no symbol
  other: null,
  plausible: plausibleEarnings,
});

describeProvider("Nasdaq's calendar", {
  ...day,
  make: (fetch) => nasdaqReportDays({ fetch }),
  vendor: nasdaqVendor,
});

describeProvider("Finnhub's calendar of a company", {
  ...company,
  make: (fetch) => finnhubEarnings({ fetch, token: finnhubVendor.key!, now }),
  vendor: finnhubVendor,
  plausible: plausibleEarnings,
});

describeProvider("Finnhub's calendar of a day", {
  ...day,
  make: (fetch) => finnhubReportDays({ fetch, token: finnhubVendor.key!, now }),
  vendor: finnhubVendor,
  // a day without reports says of no day that it is its own
  other: null,
});

describeProvider("Alpha Vantage's earnings", {
  ...company,
  make: (fetch) => alphavantageEarnings({ fetch, key: alphavantageVendor.key! }),
  vendor: alphavantageVendor,
  plausible: plausibleEarnings,
  // what it does not know is an empty object
  nothing: ["{}"],
});

describeProvider("filings with the SEC", {
  ...company,
  make: (fetch) => secFilings({ fetch, contact: secVendor.key!, now }),
  vendor: secVendor,
  plausible: plausibleFilings,
  // the other's number is not in an answer about its own list
  accept: { shapes: ["unknown_symbol"] },
});
