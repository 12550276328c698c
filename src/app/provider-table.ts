import { NEWS_FEEDS } from "./news-feed-table.ts";
import { PLANS } from "./plan-table.ts";
import type { ProviderFacts } from "./provider-facts.ts";

export type { ProviderFacts };

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Data providers by name, with the facts that an operator needs before enabling them. */
export const PROVIDERS = {
  finnhub: {
    title: "Finnhub",
    gives: "real-time US quotes, news, earnings and their calendar; disclosures of Congress on paid plans",
    setting: "FINNHUB_TOKEN",
    limits: [{ calls: 55, perMs: MINUTE, atOnce: 10 }],
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key for personal use",
    recorded: "documented responses, 2026-09",
  },
  alpaca: {
    title: "Alpaca market data",
    gives:
      "real-time IEX quotes, bars and off-exchange prints of all US venues 15 minutes late, option chains, news",
    family: "iex",
    setting: "ALPACA_KEY_ID",
    secondSetting: "ALPACA_SECRET_KEY",
    planSetting: "ALPACA_PLAN",
    plans: PLANS.alpaca,
    noRedistribution: true,
    terms: "free key with an account; its market data agreement applies",
    recorded: "2022 to 2024; stream and volume of options: documentation",
  },
  unusualwhales: {
    title: "Unusual Whales",
    gives:
      "off-exchange prints with quotes, volume by price, option trades with sweeps, disclosures of Congress",
    setting: "UNUSUAL_WHALES_TOKEN",
    planSetting: "UNUSUAL_WHALES_PLAN",
    plans: PLANS.unusualwhales,
    nonCommercial: true,
    noRedistribution: true,
    terms: "paid key; commercial use from the plan startup on",
    recorded: "2025-10, and its documentation of 2026-08",
  },
  massive: {
    title: "Massive (Polygon)",
    gives: "US bars, news; quotes, off-exchange prints and option chains on paid plans",
    setting: "MASSIVE_KEY",
    planSetting: "MASSIVE_PLAN",
    plans: PLANS.massive,
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key for end-of-day data; personal use",
    recorded: "mocks of the provider's own client, 2026",
  },
  tiingo: {
    title: "Tiingo",
    gives: "US end-of-day bars, IEX quotes and intraday bars",
    family: "iex",
    setting: "TIINGO_TOKEN",
    planSetting: "TIINGO_PLAN",
    plans: PLANS.tiingo,
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key for internal use",
    recorded: "2017 and 2018, and its documentation",
  },
  tradier: {
    title: "Tradier",
    gives: "option chains of every expiry, in real time, or 15 minutes late from its sandbox",
    setting: "TRADIER_TOKEN",
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key with an account or for its sandbox; personal use",
    recorded: "its documentation, and third-party responses of 2026",
  },
  yahoo: {
    title: "Yahoo Finance",
    gives: "US and crypto quotes and bars, indices, news, earnings, option chains of the coming weeks",
    setting: null,
    limits: [{ calls: 90, perMs: MINUTE, atOnce: 6 }],
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "undocumented",
    recorded: "2020 to 2026-08; indices: third-party recordings of 2026-02 and 2026-10",
  },
  cboe: {
    title: "Cboe delayed quotes",
    gives:
      "US quotes and indices 15 minutes late, daily bars, history of the VIX, option chains, put/call ratios",
    setting: null,
    limits: [{ calls: 36, perMs: MINUTE, atOnce: 3 }],
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "personal use; undocumented",
    recorded:
      "2026-07 (quotes, chains, ratios); indices: third-party recordings of 2026-06 to 2026-09; daily bars: third-party documentation",
  },
  nasdaq: {
    title: "Nasdaq.com",
    gives: "US quotes and daily bars, dates of earnings, dividends, splits and IPOs",
    setting: null,
    limits: [{ calls: 40, perMs: MINUTE, atOnce: 3 }],
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "its legal page forbids automated capture; undocumented",
    recorded:
      "2026-08 and 2026-09 (bars); quotes, and calendars other than that of earnings: third-party documentation",
  },
  cnbc: {
    title: "CNBC quotes",
    gives:
      "official closes and newest prices of US stocks and indices, 50 a call, against which quotes are checked",
    setting: null,
    limits: [{ calls: 30, perMs: MINUTE, atOnce: 2 }],
    forbidsAutomation: true,
    nonCommercial: true,
    noRedistribution: true,
    terms: "the terms of its web pages; undocumented",
    recorded: "third-party documentation, 2026-08 to 2026-10; indices: a third-party recording of 2023",
  },
  coinbase: {
    title: "Coinbase Exchange",
    gives: "crypto quotes and bars in US dollars",
    setting: null,
    terms: "public market data under its terms",
    recorded: "2018 to 2026-07; bars and stream: its documentation",
  },
  binance: {
    title: "Binance market data",
    gives: "crypto quotes and bars against USDT",
    setting: null,
    terms: "public market data; not available in some countries",
    recorded: "2021 to 2026-07; stream: its documentation",
  },
  kraken: {
    title: "Kraken",
    gives: "crypto quotes and bars in US dollars, about 720 bars back",
    setting: null,
    terms: "public market data under its terms",
    recorded: "2017 to 2025-11; stream: its documentation",
  },
  okx: {
    title: "OKX",
    gives: "crypto quotes and bars against USDT",
    setting: null,
    terms: "public market data; not available in some countries",
    recorded: "2022 to 2026",
  },
  coingecko: {
    title: "CoinGecko",
    gives: "crypto quotes aggregated over all venues, the list of tokens",
    setting: null,
    terms: "no key required within a shared limit, which COINGECKO_KEY raises; attribution required",
    recorded: "2026",
  },
  finra: {
    title: "FINRA",
    gives: "daily off-exchange volume and short sales, weekly volume by kind of venue, short interest",
    setting: null,
    limits: [{ calls: 120, perMs: MINUTE, atOnce: 4 }],
    terms: "public files under its terms",
    recorded: "daily files of 2026-06 to 2026-08, weekly files of 2023; short interest: its documentation",
  },
  alphavantage: {
    title: "Alpha Vantage",
    gives: "news of stocks, funds and crypto, EPS against estimates",
    setting: "ALPHAVANTAGE_KEY",
    limits: [
      { calls: 24, perMs: DAY, atOnce: 1 },
      { calls: 1, perMs: 1_200, atOnce: 1 },
    ],
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key, 25 calls a day; personal use",
    recorded: "as documented",
  },
  ...NEWS_FEEDS,
  sec: {
    title: "SEC EDGAR",
    gives: "statements of US companies, announcement times of results, 8-K filings as news",
    setting: "SEC_CONTACT",
    publicDomain: true,
    limits: [{ calls: 9, perMs: 1_000, atOnce: 4 }],
    terms: "public domain; requires a contact, at most ten calls a second",
    recorded: "2022, 2025 and 2026-10; feeds: third-party documentation",
  },
  houseclerk: {
    title: "Clerk of the House",
    gives: "disclosures of the House: its list of filings and the reports themselves",
    setting: null,
    nonCommercial: true,
    terms: "public record; not for commercial use other than news (5 U.S.C. 13107)",
    recorded: "2025 and 2026-06",
  },
  legislators: {
    title: "congress-legislators",
    gives: "members of Congress with their parties",
    setting: null,
    terms: "public domain (CC0)",
    recorded: "2026-06",
  },
  fmp: {
    title: "Financial Modeling Prep",
    gives: "disclosures of both chambers",
    setting: "FMP_KEY",
    planSetting: "FMP_PLAN",
    plans: PLANS.fmp,
    nonCommercial: true,
    noRedistribution: true,
    terms: "free key for personal use",
    recorded: "third-party documentation, 2026",
  },
  kadoa: {
    title: "Kadoa congress-trading-monitor",
    gives: "the newest 5,000 disclosures of both chambers",
    setting: null,
    consent: "KADOA_TERMS",
    nonCommercial: true,
    noRedistribution: true,
    terms: "data for research and educational purposes: off until KADOA_TERMS=accepted",
    recorded: "2026-10, three rows",
  },
  nasdaqtrader: {
    title: "Nasdaq Trader",
    gives: "the list of US-listed symbols, updated nightly, and trading halts of all US exchanges",
    setting: null,
    terms: "public files",
    recorded: "2026-05; halts: third-party documentation",
  },
  polymarket: {
    title: "Polymarket",
    gives: "real-money prediction markets",
    setting: null,
    terms: "public market data under its terms; trading is closed to some countries",
    recorded: "2026-07 and 2026-08",
  },
  kalshi: {
    title: "Kalshi",
    gives: "real-money prediction markets",
    setting: null,
    terms: "public market data under its terms; the text search is undocumented",
    recorded: "2026-01 to 2026-08",
  },
  manifold: {
    title: "Manifold",
    gives: "prediction markets of play money",
    setting: null,
    terms: "public; no commercial training of models on its data without a licence",
    recorded: "2026-08",
  },
} as const satisfies Record<string, ProviderFacts>;

export type ProviderName = keyof typeof PROVIDERS;
/** Value of the plan setting of a provider. */
export type PlanOf<N extends ProviderName> = (typeof PROVIDERS)[N] extends {
  readonly plans: infer Plans;
}
  ? keyof Plans & string
  : never;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];
