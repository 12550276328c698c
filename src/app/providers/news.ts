import type { NewsProvider } from "../../domain/news/provider.ts";
import type { News } from "../../domain/ports.ts";
import { liveNews } from "../../features/news/live.ts";
import { alpacaNews } from "../../providers/alpaca/news.ts";
import { alphavantageNews } from "../../providers/alphavantage/news.ts";
import { finnhubNews } from "../../providers/finnhub/news.ts";
import { gdeltNews } from "../../providers/gdelt/news.ts";
import { massiveNews } from "../../providers/massive/news.ts";
import { nasdaqfeedNews } from "../../providers/nasdaqfeed/news.ts";
import { secNews } from "../../providers/sec/news.ts";
import { yahoofeedNews } from "../../providers/yahoo/feed-news.ts";
import { yahooNews } from "../../providers/yahoo/news.ts";
import type { ProviderName } from "../provider-table.ts";
import { KEY_SETTINGS } from "./key-settings.ts";
import { PROBE_STOCK } from "./probe-stock.ts";
import { type ProviderBuilder, type ProviderFactory, withKey, withPair } from "./provider-factory.ts";

const DAY_MS = 86_400_000;
/** One call in six seconds: whoever asks it alone waits for its turn. */
const GDELT_PACE = { timeoutMs: 8_000, maxWaitMs: 6_000 } as const;
/** Settings that connect news of the past. */
const PAST_SETTINGS = "FINNHUB_TOKEN, or ALPACA_KEY_ID with ALPACA_SECRET_KEY,";

/**
 * News of the live market from the sources that the settings switch on, in order: those with a key, then who files headlines
 * under symbols, who searches for names, and what companies themselves file.
 */
export function newsPort({ config, create: on, now, clock }: ProviderFactory): News {
  const { ALPACA_KEY_ID, ALPACA_SECRET_KEY, FINNHUB_TOKEN, MASSIVE_KEY, ALPHAVANTAGE_KEY, SEC_CONTACT } =
    config;
  const asked: readonly (readonly [ProviderName, ProviderBuilder<NewsProvider> | null])[] = [
    [
      "alpaca",
      withPair([ALPACA_KEY_ID, ALPACA_SECRET_KEY], (keyId, secret, setup) =>
        alpacaNews({ ...setup, keyId, secret, now }),
      ),
    ],
    ["finnhub", withKey(FINNHUB_TOKEN, (token, setup) => finnhubNews({ ...setup, token, now }))],
    ["massive", withKey(MASSIVE_KEY, (key, setup) => massiveNews({ ...setup, key }))],
    ["alphavantage", withKey(ALPHAVANTAGE_KEY, (key, setup) => alphavantageNews({ ...setup, key }))],
    ["yahoo", yahooNews],
    ["yahoofeed", yahoofeedNews],
    ["nasdaqfeed", nasdaqfeedNews],
    ["gdelt", (setup) => gdeltNews({ ...setup, now })],
    ["sec", withKey(SEC_CONTACT, (contact, setup) => secNews({ ...setup, contact }))],
  ];
  const check = (source: NewsProvider, signal: AbortSignal) =>
    source.call({ instrument: PROBE_STOCK, from: now() - 7 * DAY_MS, until: now() }, { signal });
  const providers = asked.flatMap(([name, make]) =>
    on(name, make, { content: "news", check, ...(name === "gdelt" && GDELT_PACE) }),
  );
  return liveNews({ providers, clock, pastSettings: PAST_SETTINGS, settings: KEY_SETTINGS });
}
