import type { Chamber } from "../../domain/congress/congress.ts";
import type { DisclosureRepository } from "../../domain/congress/disclosure-repository-port.ts";
import type { DisclosureProvider, Filings, FilingsRequest, Roster } from "../../domain/congress/provider.ts";
import type { Log, Symbols } from "../../domain/ports.ts";
import type { ChamberProviders } from "../../features/congress/live/chamber-reader.ts";
import { liveCongress } from "../../features/congress/live/congress.ts";
import { createDisclosureRefresher } from "../../features/congress/live/disclosure-refresher.ts";
import { createJoin, unjoined } from "../../features/congress/live/roster.ts";
import { resourceOf } from "../../market/failover/resource.ts";
import { finnhubCongress } from "../../providers/finnhub/congress.ts";
import { fmpCongress } from "../../providers/fmp/congress.ts";
import { houseclerk } from "../../providers/houseclerk/congress.ts";
import { kadoaCongress } from "../../providers/kadoa/congress.ts";
import { legislators } from "../../providers/legislators/roster.ts";
import { unusualWhalesCongress } from "../../providers/unusualwhales/congress.ts";
import { lastSession } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Limits of a refresh: a list and ten reports, each of which waits for its place within the rate limit. */
const BACKGROUND_LIMITS = { timeoutMs: 90_000, maxWaitMs: 60_000 } as const;
/** Limits of one response that a caller waits for. */
const INTERACTIVE_LIMITS = { timeoutMs: 8_000, maxWaitMs: 5_000 } as const;

interface CongressDeps {
  readonly log: Log;
  readonly symbols: Symbols;
  readonly repository: DisclosureRepository;
}

/**
 * Creates disclosures and their refresher from the enabled providers: the House's own reports first, then providers
 * with a key, the free data set last.
 */
export function congressPorts(
  { config, create, now, clock }: ProviderFactory,
  { log, symbols, repository }: CongressDeps,
) {
  const stored: ProviderOptions<DisclosureProvider> = {
    content: "disclosures",
    ...BACKGROUND_LIMITS,
    check: (provider, signal) => {
      const day = lastSession(now());
      const request = {
        chamber: "house",
        ticker: null,
        since: day,
        until: day,
        known: new Set<string>(),
      } as const;
      return provider.call(request, { signal });
    },
  };
  const bothChambers = [
    ...create("fmp", fmpCongress, stored),
    ...create("unusualwhales", unusualWhalesCongress, stored),
    ...create("kadoa", kadoaCongress, stored),
  ];
  const refreshed = {
    house: [...create("houseclerk", houseclerk, stored), ...bothChambers],
    senate: bothChambers,
  };
  const onDemand = { content: "disclosures by ticker", ...INTERACTIVE_LIMITS };
  const byTicker = [
    ...create("fmp", fmpCongress, onDemand),
    ...create("unusualwhales", unusualWhalesCongress, onDemand),
    ...create("finnhub", finnhubCongress, onDemand),
  ];
  const byTickerResource =
    byTicker.length === 0
      ? null
      : resourceOf<FilingsRequest, Filings>({
          about: ({ ticker, chamber }) => `disclosures of ${ticker ?? "all"} in the ${chamber}`,
          providers: byTicker,
          clock,
          keyOf: ({ chamber, ticker, since, until }) => [chamber, ticker, since, until].join("|"),
          freshMs: 6 * HOUR,
          staleMs: 7 * DAY,
        });
  const loadRoster = resourceOf<null, Roster>({
    about: () => "the roster of Congress",
    providers: create("legislators", legislators, {
      content: "roster",
      ...INTERACTIVE_LIMITS,
      check: (provider, signal) => provider.call(null, { signal }),
    }),
    clock,
    keyOf: () => "roster",
    freshMs: 7 * DAY,
    staleMs: 60 * DAY,
  });
  const join = async () => {
    const roster = await loadRoster(null).catch(() => null);
    return roster === null ? unjoined : createJoin(roster.answer);
  };
  const refresher = createDisclosureRefresher({ providers: refreshed, repository, join, clock, log });
  const providersOf = (chamber: Chamber): ChamberProviders => {
    const off = CHAMBER_PROVIDERS[chamber].filter((name) =>
      config.PROVIDERS_OFF.some((other) => other === name),
    );
    return {
      stored: refreshed[chamber].map(({ provider }) => provider.name),
      byTicker: byTickerResource,
      missing:
        off.length === 0
          ? MISSING[chamber]
          : `${MISSING[chamber]}; PROVIDERS_OFF switches off ${off.join(", ")}`,
    };
  };
  const providers = { house: providersOf("house"), senate: providersOf("senate") };
  return { congress: liveCongress({ providers, repository, refresher, join, symbols, clock }), refresher };
}

const BOTH_CHAMBERS = ["fmp", "unusualwhales", "finnhub", "kadoa"];
const CHAMBER_PROVIDERS: Readonly<Record<Chamber, readonly string[]>> = {
  house: ["houseclerk", ...BOTH_CHAMBERS],
  senate: BOTH_CHAMBERS,
};
const KEYS =
  "FMP_KEY or UNUSUAL_WHALES_TOKEN connects one; FINNHUB_TOKEN of a paid plan connects one for requests by ticker; KADOA_TERMS=accepted connects a free data set for research and education";
const MISSING: Readonly<Record<Chamber, string>> = {
  house: `No provider of House disclosures is enabled: the Clerk's reports need no key; ${KEYS}`,
  senate: `No provider of Senate disclosures is enabled: ${KEYS}`,
};
