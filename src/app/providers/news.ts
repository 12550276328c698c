import type { NewsProvider } from "../../domain/news/provider.ts";
import type { News } from "../../domain/ports.ts";
import { liveNews } from "../../features/news/live.ts";
import { alpacaNews } from "../../providers/alpaca/news.ts";
import { alphavantageNews } from "../../providers/alphavantage/news.ts";
import { finnhubNews } from "../../providers/finnhub/news.ts";
import { gdeltNews } from "../../providers/gdelt/news.ts";
import { globenewswireNews } from "../../providers/globenewswire/news.ts";
import { massiveNews } from "../../providers/massive/news.ts";
import { nasdaqfeedNews } from "../../providers/nasdaqfeed/news.ts";
import { prnewswireNews } from "../../providers/prnewswire/news.ts";
import { secCurrentNews } from "../../providers/sec/current-news.ts";
import { secNews } from "../../providers/sec/news.ts";
import { yahoofeedNews } from "../../providers/yahoo/feed-news.ts";
import { yahooNews } from "../../providers/yahoo/news.ts";
import { PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { KEY_SETTINGS } from "./provider-terms.ts";

const DAY_MS = 86_400_000;
/** Limits for GDELT, which is called once per six seconds, so that even a single caller may have to wait. */
const GDELT_LIMITS = { timeoutMs: 8_000, maxWaitMs: 6_000 } as const;
/** Settings that connect providers of past news, for messages. */
const PAST_SETTINGS = "FINNHUB_TOKEN, or ALPACA_KEY_ID with ALPACA_SECRET_KEY,";

/**
 * Creates news of the live market from the enabled providers, in call order: those with a key, then those that list
 * headlines by symbol, then a search by name, and last SEC filings. Press wires and the SEC's current filings complete
 * the list of whichever answers.
 */
export function newsPort({ create, now, clock }: ProviderFactory): News {
  const options: ProviderOptions<NewsProvider> = {
    content: "news",
    check: (provider, signal) =>
      provider.call({ instrument: PROBE_STOCK, from: now() - 7 * DAY_MS, until: now() }, { signal }),
  };
  const providers = [
    ...create("alpaca", alpacaNews, options),
    ...create("finnhub", finnhubNews, options),
    ...create("massive", massiveNews, options),
    ...create("alphavantage", alphavantageNews, options),
    ...create("yahoo", yahooNews, options),
    ...create("yahoofeed", yahoofeedNews, options),
    ...create("nasdaqfeed", nasdaqfeedNews, options),
    ...create("gdelt", gdeltNews, { ...options, ...GDELT_LIMITS }),
    ...create("sec", ({ key: contact, ...setup }) => secNews({ ...setup, contact }), options),
  ];
  const wires = [
    ...create("globenewswire", globenewswireNews, { ...options, content: "press releases" }),
    ...create("prnewswire", prnewswireNews, { ...options, content: "press releases" }),
    ...create("sec", ({ key: contact, ...setup }) => secCurrentNews({ ...setup, contact }), {
      ...options,
      content: "current filings",
    }),
  ];
  return liveNews({ providers, wires, clock, pastSettings: PAST_SETTINGS, settings: KEY_SETTINGS });
}
