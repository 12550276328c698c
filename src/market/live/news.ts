import type { AssetClass, Instrument } from "../../domain/market.ts";
import type { Headline } from "../../domain/news.ts";
import type { Clock, News, NewsFeed } from "../../ports/index.ts";
import type { Guarded } from "./guard.ts";
import { type Provider, type Resource, resourceOf } from "./resource.ts";

/** News of an instrument in a window, epoch ms. */
export interface NewsQuestion {
  readonly instrument: Instrument;
  readonly from: number;
  readonly until: number;
}

/** Headlines as a provider told them, in any order, made plain. */
export interface NewsTold {
  readonly headlines: readonly Headline[];
  /** Headlines older than this may be missing; null where the whole window was told. */
  readonly completeFrom: number | null;
}

/** One vendor as a source of headlines. */
export interface NewsProvider extends Provider<NewsQuestion, NewsTold> {
  readonly serves: ReadonlySet<AssetClass>;
  /** Whether it may be asked of windows that ended in the past; the others tell the newest alone. */
  readonly past: boolean;
}

interface LiveNews {
  /** In the order in which they are asked. */
  readonly providers: readonly Guarded<NewsProvider>[];
  readonly clock: Clock;
  /** Settings that would connect sources of the past. */
  readonly pastSettings: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const FRESH_MS = 5 * MINUTE;
const STALE_MS = 6 * 60 * MINUTE;
/** What one question asks for, so that every window within it is answered by one call. */
const SPAN_MS = 9 * DAY;
/** A window that ended so recently is answered by the newest. */
const RECENT_MS = 5 * MINUTE;
const CLASSES = ["equity", "etf", "crypto"] as const satisfies readonly AssetClass[];

/** News over providers in order. A window of the past is asked only of those who have one. */
export function liveNews({ providers, clock, pastSettings }: LiveNews): News {
  const resource = (
    assetClass: AssetClass,
    past: boolean,
  ): readonly [string, Resource<NewsQuestion, NewsTold>, number] => {
    const able = providers.filter(({ source }) => source.serves.has(assetClass) && (source.past || !past));
    const about = ({ instrument }: NewsQuestion) => `news of ${instrument.symbol}`;
    const keyOf = ({ instrument, until }: NewsQuestion) => `${instrument.symbol} ${past ? until : "now"}`;
    return [
      `${assetClass} ${past}`,
      resourceOf({ about, providers: able, clock, keyOf, freshMs: FRESH_MS, staleMs: STALE_MS }),
      able.length,
    ];
  };
  const resources = new Map(
    CLASSES.flatMap((assetClass) => [false, true].map((past) => resource(assetClass, past))).map(
      ([key, ask, able]) => [key, { ask, able }],
    ),
  );

  return {
    missing: providers.length === 0 ? "Every source of news is switched off by PROVIDERS_OFF" : null,
    async headlines(instrument, { from, until, signal }): Promise<NewsFeed | null> {
      if (providers.length === 0) return null;
      const now = clock.now().getTime();
      const end = Math.min(until, now);
      const past = now - end > RECENT_MS;
      const { ask, able } = resources.get(`${instrument.asset_class} ${past}`)!;
      const question = { instrument, from: Math.min(from, end - SPAN_MS), until: end };
      const told = await ask(question, signal === undefined ? {} : { signal });
      const about = {
        asOf: end,
        fetchedAt: told?.fetchedAt ?? now,
        stale: told?.stale ?? false,
        tried: told?.tried ?? [],
      };
      if (told === null) {
        const uncovered =
          able > 0
            ? "No connected source covers it"
            : past
              ? `The connected sources tell the newest headlines alone; ${pastSettings} connects the past`
              : "No connected source serves such instruments";
        return { ...about, headlines: [], source: "none", completeFrom: null, uncovered };
      }
      const { headlines, completeFrom } = told.answer;
      return {
        ...about,
        // an answer that is new enough may be older than the window's end
        asOf: Math.min(end, told.fetchedAt),
        headlines: inWindow(headlines, from, Math.min(end, told.fetchedAt)),
        source: told.source,
        completeFrom: completeFrom !== null && completeFrom > from ? completeFrom : null,
        uncovered: null,
      };
    },
  };
}

/** Each item once, newest first. */
function inWindow(headlines: readonly Headline[], from: number, until: number): readonly Headline[] {
  const once = new Map(headlines.map((headline) => [headline.id, headline]));
  return [...once.values()]
    .filter(({ publishedAt }) => publishedAt >= from && publishedAt <= until)
    .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1));
}
