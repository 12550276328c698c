import { type Config, urlSettingOf } from "./config.ts";
import { type GuardOptions, guard } from "./market/live/guard.ts";
import { liveNews, type NewsProvider } from "./market/live/news.ts";
import type { News } from "./ports/index.ts";
import { alpacaNews } from "./providers/alpaca/news.ts";
import { alphavantageNews } from "./providers/alphavantage/news.ts";
import { finnhubNews } from "./providers/finnhub/news.ts";
import { gdeltNews } from "./providers/gdelt/news.ts";
import { massiveNews } from "./providers/massive/news.ts";
import { nasdaqfeedNews } from "./providers/nasdaqfeed/news.ts";
import { secNews } from "./providers/sec/news.ts";
import type { SourceSetup } from "./providers/wire.ts";
import { yahoofeedNews } from "./providers/yahoo/feed-news.ts";
import { yahooNews } from "./providers/yahoo/news.ts";
import type { VendorName } from "./vendors.ts";

/** Settings that connect news of the past. */
const PAST_SETTINGS = "FINNHUB_TOKEN, or ALPACA_KEY_ID with ALPACA_SECRET_KEY,";

/**
 * News of the live market from the sources that the settings switch on, in order: those with a key, then who files headlines
 * under symbols, who searches for names, and what companies themselves file.
 */
export function newsPort(config: Config, lent: Pick<GuardOptions, "fetch" | "clock">): News {
  const { ALPACA_KEY_ID: keyId, ALPACA_SECRET_KEY: secret, FINNHUB_TOKEN: token } = config;
  const { MASSIVE_KEY: massiveKey, ALPHAVANTAGE_KEY: key, SEC_CONTACT: contact } = config;
  const now = () => lent.clock.now().getTime();
  const asked: readonly (readonly [VendorName, ((setup: SourceSetup) => NewsProvider) | null])[] = [
    [
      "alpaca",
      keyId === undefined || secret === undefined
        ? null
        : (setup) => alpacaNews({ ...setup, keyId, secret, now }),
    ],
    ["finnhub", token === undefined ? null : (setup) => finnhubNews({ ...setup, token, now })],
    ["massive", massiveKey === undefined ? null : (setup) => massiveNews({ ...setup, key: massiveKey })],
    ["alphavantage", key === undefined ? null : (setup) => alphavantageNews({ ...setup, key })],
    ["yahoo", yahooNews],
    ["yahoofeed", yahoofeedNews],
    ["nasdaqfeed", nasdaqfeedNews],
    ["gdelt", (setup) => gdeltNews({ ...setup, now })],
    ["sec", contact === undefined ? null : (setup) => secNews({ ...setup, contact })],
  ];
  const providers = asked.flatMap(([name, make]) =>
    make === null || config.PROVIDERS_OFF.includes(name)
      ? []
      : [
          guard(({ fetch, heard }) => make({ fetch, heard, baseUrl: config[urlSettingOf(name)] }), {
            fetch: lent.fetch,
            clock: lent.clock,
          }),
        ],
  );
  return liveNews({ providers, clock: lent.clock, pastSettings: PAST_SETTINGS });
}
