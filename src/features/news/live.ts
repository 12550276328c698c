import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import type { Headline } from "../../domain/news/news.ts";
import type { NewsProvider, NewsProviderAnswer, NewsRequest } from "../../domain/news/provider.ts";
import type { CallOptions, News, NewsFeed } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { problemsOf } from "../../market/failover/problems.ts";
import { type Resource, type ResourceOptions, resourceOf } from "../../market/failover/resource.ts";
import { readWires } from "./wires.ts";

interface LiveNewsOptions extends Pick<ResourceOptions<never, never>, "clock" | "settings"> {
  /** In order of preference. */
  readonly providers: readonly Guarded<NewsProvider>[];
  /** Providers whose headlines of the last week complete those of the others. Default: none. */
  readonly wires?: readonly Guarded<NewsProvider>[];
  /** Settings that connect providers with an archive. */
  readonly pastSettings: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const FRESH_MS = 5 * MINUTE;
const STALE_MS = 6 * 60 * MINUTE;
/** Delay before the next provider is tried, ms: later providers often have small call budgets. */
const HEDGE_MS = 800;
/** Cache time of an archive answer: a past range no longer changes. */
const PAST_FRESH_MS = DAY;
const PAST_STALE_MS = 7 * DAY;
/** Age of a range's end from which an empty list may only mean that the provider does not reach back that far, ms. */
const MAX_REACH_MS = 365 * DAY;
/** Maximum age of a range's end for which the newest headlines are searched first, ms. */
const RECENT_MS = 7 * DAY;
/** Length of the range requested for the newest headlines, ms: one call covers every recent range. */
const LATEST_WINDOW_MS = 15 * DAY;
const CLASSES = ["equity", "etf", "crypto"] as const satisfies readonly AssetClass[];

/**
 * Returns news from the first available provider, completed with the headlines of press wires and filings. A range that
 * ended less than a week ago is cut from the newest headlines if they reach back into it; an older range is requested
 * only from providers with an archive.
 */
export function liveNews({
  providers,
  wires = [],
  clock,
  pastSettings,
  settings = {},
}: LiveNewsOptions): News {
  const now = () => clock.now().getTime();
  const groupOf = (assetClass: AssetClass, past: boolean): ProviderGroup => {
    const able = providers.filter(
      ({ provider }) => provider.serves.has(assetClass) && (provider.past || !past),
    );
    return {
      count: able.length,
      reachMs: Math.max(...able.map(({ provider }) => provider.reachMs ?? Number.POSITIVE_INFINITY)),
      resource: resourceOf<NewsRequest, NewsProviderAnswer>({
        providers: able,
        clock,
        settings,
        about: ({ instrument }) => `news of ${instrument.symbol}`,
        keyOf: ({ instrument: { symbol }, from, until }) => (past ? `${symbol} ${from} ${until}` : symbol),
        freshMs: past ? PAST_FRESH_MS : FRESH_MS,
        staleMs: past ? PAST_STALE_MS : STALE_MS,
        hedgeMs: HEDGE_MS,
      }),
    };
  };
  const groups = new Map(
    CLASSES.map((one) => [one, { newest: groupOf(one, false), past: groupOf(one, true) }] as const),
  );

  /** Returns the newest headlines if the range ended within a week and they reach back into it; else null. */
  async function recent(newest: ProviderGroup, { instrument, until }: NewsRequest, options: CallOptions) {
    const at = now();
    if (at - until > RECENT_MS) return null;
    const newsAnswer = await newest.resource({ instrument, from: at - LATEST_WINDOW_MS, until: at }, options);
    const reaches = newsAnswer === null || until >= at || (newsAnswer.answer.completeFrom ?? 0) < until;
    return reaches ? { newsAnswer } : null;
  }

  const placeOf = (name: string) => providers.findIndex(({ provider }) => provider.name === name);
  const isAfter = (name: string, other: string) => placeOf(name) > placeOf(other);
  const troubled = () => {
    const troubles = problemsOf([...providers, ...wires], settings);
    return troubles.length === 0 ? {} : { troubles };
  };

  /** Returns the reason why no provider has news of an instrument, among the newest headlines or of a past range. */
  function uncoveredReason({ newest, past, isPast }: GroupsOfClass & { readonly isPast: boolean }): string {
    if (providers.length === 0) return "The press wires have no headline of this symbol from the last days";
    if (isPast && past.count > 0) return "No connected provider has news of this symbol for those days";
    if (newest.count === 0) return "No connected provider covers this asset class";
    return isPast
      ? `The connected providers supply only the newest headlines; ${pastSettings} connects an archive`
      : "No connected provider covers this symbol";
  }

  /** Returns the list of the first available provider; with a reason in `uncovered` if there is none. */
  async function listed(
    instrument: Instrument,
    from: number,
    end: number,
    signal?: AbortSignal,
  ): Promise<NewsFeed> {
    const { newest, past } = groups.get(instrument.asset_class)!;
    const options = { signal };
    // always at least a week, so that one call covers every range with the same end
    const request = { instrument, from: Math.min(from, end - RECENT_MS), until: end };
    const found = await recent(newest, request, options);
    if (found === null && past.count > 0 && now() - end > past.reachMs)
      return {
        ...NOTHING,
        asOf: end,
        uncovered: `No connected provider has news that old; ${pastSettings} connects a longer archive`,
      };
    const newsAnswer = found === null ? await past.resource(request, options) : found.newsAnswer;
    if (newsAnswer === null) {
      const uncovered = uncoveredReason({ newest, past, isPast: found === null });
      return { ...NOTHING, ...troubled(), asOf: end, uncovered };
    }
    const { completeFrom, headlines } = newsAnswer.answer;
    // a fresh answer may still have been fetched before the range's end
    const asOf = Math.min(end, newsAnswer.fetchedAt);
    const reached = headlines.length > 0 || now() - end < MAX_REACH_MS ? completeFrom : end;
    if (headlines.length === 0 && reached !== null && reached >= end) {
      const more = found === null ? `; ${pastSettings} connects a longer archive` : "";
      const uncovered = `${newsAnswer.source} has no headlines of these days, but some may exist${more}`;
      return { ...NOTHING, ...troubled(), asOf: end, tried: newsAnswer.tried, uncovered };
    }
    return {
      headlines: inWindow(headlines, from, asOf),
      source: newsAnswer.source,
      fetchedAt: newsAnswer.fetchedAt,
      stale: newsAnswer.stale,
      tried: newsAnswer.stale
        ? newsAnswer.tried
        : newsAnswer.tried.filter(({ provider }) => !isAfter(provider, newsAnswer.source)),
      asOf,
      completeFrom: reached !== null && reached > from ? reached : null,
      uncovered: null,
      ...troubled(),
    };
  }

  return {
    missing:
      providers.length + wires.length === 0
        ? "Every provider of news is switched off by PROVIDERS_OFF"
        : null,
    async headlines(instrument, { from, until, signal }): Promise<NewsFeed | null> {
      if (providers.length + wires.length === 0) return null;
      const at = now();
      const end = Math.min(until, at);
      const request = { instrument, from: at - RECENT_MS, until: at };
      const [list, fromWires] = await Promise.all([
        listed(instrument, from, end, signal).catch((cause: unknown) => ({ cause })),
        readWires(at - end > RECENT_MS ? [] : wires, request, signal ?? new AbortController().signal),
      ]);
      const headlines = inWindow(fromWires.headlines, from, end);
      if ("cause" in list) {
        if (headlines.length === 0) throw list.cause;
        const tried = attemptsIn(list.cause);
        return { ...feedOfWires(headlines, { asOf: end, fetchedAt: at }), ...troubled(), tried };
      }
      const tried = [...list.tried, ...fromWires.failed];
      if (list.uncovered !== null && headlines.length > 0)
        return { ...feedOfWires(headlines, { asOf: end, fetchedAt: at }), ...troubled(), tried };
      return {
        ...list,
        headlines: inWindow([...list.headlines, ...headlines], from, end),
        asOf: Math.max(list.asOf, ...headlines.map(({ publishedAt }) => publishedAt)),
        tried,
      };
    },
  };
}

/** Returns the feed of the wires alone: headlines of other publishers may be missing at any time. */
const feedOfWires = (
  headlines: readonly Headline[],
  { asOf, fetchedAt }: Pick<NewsFeed, "asOf"> & { readonly fetchedAt: number },
): NewsFeed => ({
  ...NOTHING,
  headlines,
  source: [...new Set(headlines.map(({ source }) => source))].join(", "),
  fetchedAt,
  asOf,
  completeFrom: asOf,
  uncovered: null,
});

/** Returns the providers that an outage names. */
const attemptsIn = (cause: unknown): readonly ProviderAttempt[] =>
  cause instanceof ToolError && Array.isArray(cause.data?.tried)
    ? (cause.data.tried as readonly ProviderAttempt[])
    : [];

interface GroupsOfClass {
  readonly newest: ProviderGroup;
  readonly past: ProviderGroup;
}

interface ProviderGroup {
  readonly count: number;
  /** Length of the longest archive, ms. */
  readonly reachMs: number;
  readonly resource: Resource<NewsRequest, NewsProviderAnswer>;
}

const NOTHING = {
  headlines: [],
  tried: [],
  source: null,
  fetchedAt: null,
  completeFrom: null,
  stale: false,
} as const;

/** Returns the headlines published in [from, until] without duplicates, newest first. */
function inWindow(headlines: readonly Headline[], from: number, until: number): readonly Headline[] {
  const once = new Map(headlines.map((headline) => [headline.id, headline]));
  return [...once.values()]
    .filter(({ publishedAt }) => publishedAt >= from && publishedAt <= until)
    .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1));
}
