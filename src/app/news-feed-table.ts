import type { ProviderFacts } from "./provider-facts.ts";

const MINUTE = 60_000;

/** Providers of headlines without a key, by name; part of the table of providers. */
export const NEWS_FEEDS = {
  yahoofeed: {
    title: "Yahoo Finance RSS",
    gives: "newest headlines of stocks, funds and crypto",
    setting: null,
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "feed for readers",
    recorded: "third-party documentation",
  },
  nasdaqfeed: {
    title: "Nasdaq.com RSS",
    gives: "newest headlines of US stocks and funds",
    setting: null,
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "feed for readers; its legal page forbids automated capture",
    recorded: "third-party documentation",
  },
  gdelt: {
    title: "GDELT",
    gives: "headlines of world news, searched by name, up to three months back",
    outage:
      "has refused most requests since 2026-07 (status 429); after each refusal it is not called for 15 minutes to 6 hours",
    setting: null,
    terms: "open data, attribution required; one call every five seconds",
    recorded: "as documented",
  },
  globenewswire: {
    title: "GlobeNewswire",
    gives: "newest press releases of US companies, by the tickers they are filed under",
    setting: null,
    limits: [{ calls: 4, perMs: MINUTE, atOnce: 1 }],
    nonCommercial: true,
    noRedistribution: true,
    terms: "feed for readers",
    recorded: "a third-party recording of 2021, and tests of public clients of 2026-10",
  },
  prnewswire: {
    title: "PR Newswire",
    gives: "newest press releases of US companies, by the tickers they name",
    setting: null,
    limits: [{ calls: 4, perMs: MINUTE, atOnce: 1 }],
    nonCommercial: true,
    noRedistribution: true,
    terms: "feed for readers",
    recorded: "tests of public clients of 2026-10",
  },
} as const satisfies Record<string, ProviderFacts>;
