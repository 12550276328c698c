import type { Chamber } from "../../domain/congress/congress.ts";
import type { DisclosureRepository } from "../../domain/congress/disclosure-repository-port.ts";
import type { Filings, FilingsProvider, FilingsRequest, Roster } from "../../domain/congress/provider.ts";
import type { Clock, Congress, Log, Symbols } from "../../domain/ports.ts";
import type { ChamberProviders } from "../../features/congress/live/chamber-reader.ts";
import { liveCongress } from "../../features/congress/live/congress.ts";
import {
  createDisclosureRefresher,
  type DisclosureRefresher,
} from "../../features/congress/live/disclosure-refresher.ts";
import { createJoin, unjoined } from "../../features/congress/live/roster.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { resourceOf } from "../../market/failover/resource.ts";
import { finnhubCongress } from "../../providers/finnhub/congress.ts";
import { fmpCongress } from "../../providers/fmp/congress.ts";
import { houseclerk } from "../../providers/houseclerk/congress.ts";
import { kadoaCongress } from "../../providers/kadoa/congress.ts";
import { legislators } from "../../providers/legislators/roster.ts";
import { unusualWhalesCongress } from "../../providers/unusualwhales/congress.ts";
import { lastSession } from "./probe-stock.ts";
import { type ProviderFactory, type ProviderOptions, withKey } from "./provider-factory.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A list and ten reports, each waiting for its turn. */
const BACKGROUND_LIMITS = { timeoutMs: 90_000, maxWaitMs: 60_000 } as const;
/** One answer that a person waits for. */
const INTERACTIVE_LIMITS = { timeoutMs: 8_000, maxWaitMs: 5_000 } as const;

interface CongressDeps {
  readonly log: Log;
  readonly symbols: Symbols;
  readonly repository: DisclosureRepository;
}

/** Disclosures of Congress, and their refresher. */
export interface CongressPorts {
  readonly congress: Congress;
  readonly refresher: DisclosureRefresher;
}

/** Disclosures from the sources that the settings switch on: the House's own reports first, then what a key opens, the free data set last. */
export function congressPorts(
  { config, create: on, now, clock }: ProviderFactory,
  { log, symbols, repository: shelf }: CongressDeps,
): CongressPorts {
  const { FMP_KEY, UNUSUAL_WHALES_TOKEN, FINNHUB_TOKEN, KADOA_TERMS } = config;
  const fmp = withKey(FMP_KEY, (key, setup) => fmpCongress({ ...setup, key }));
  const unusual = withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesCongress({ ...setup, token }));
  const finnhub = withKey(FINNHUB_TOKEN, (token, setup) => finnhubCongress({ ...setup, token }));
  const filed: ProviderOptions<FilingsProvider> = {
    content: "disclosures",
    ...BACKGROUND_LIMITS,
    check: (source, signal) => {
      const day = lastSession(now());
      const question = { ticker: null, since: day, until: day, known: new Set<string>() };
      return source.call({ ...question, chamber: "house" }, { signal });
    },
  };
  const both = [
    ...on("fmp", fmp, filed),
    ...on("unusualwhales", unusual, filed),
    ...on("kadoa", KADOA_TERMS === undefined ? null : kadoaCongress, filed),
  ];
  const kept = { house: [...on("houseclerk", houseclerk, filed), ...both], senate: both };
  const asked: ProviderOptions<FilingsProvider> = { content: "disclosures by ticker", ...INTERACTIVE_LIMITS };
  const byTicker = [
    ...on("fmp", fmp, asked),
    ...on("unusualwhales", unusual, asked),
    ...on("finnhub", finnhub, asked),
  ];
  const roster = resourceOf<null, Roster>({
    about: () => "the roster of Congress",
    providers: on("legislators", legislators, {
      content: "roster",
      ...INTERACTIVE_LIMITS,
      check: (source, signal) => source.call(null, { signal }),
    }),
    clock,
    keyOf: () => "roster",
    freshMs: 7 * DAY,
    staleMs: 60 * DAY,
  });
  const join = async () => {
    const told = await roster(null).catch(() => null);
    return told === null ? unjoined : createJoin(told.answer);
  };
  const keeper = createDisclosureRefresher({ providers: kept, repository: shelf, join, clock, log });
  const resource = byTicker.length === 0 ? null : tickerResource(byTicker, clock);
  const sourcesOf = (chamber: Chamber): ChamberProviders => ({
    kept: kept[chamber].map(({ provider: source }) => source.name),
    byTicker: resource,
    missing: `${MISSING[chamber]}${offFor(chamber)}`,
  });
  /** Which of a chamber's sources that would be on are switched off. */
  function offFor(chamber: Chamber): string {
    const names: readonly string[] = chamber === "house" ? ["houseclerk", ...KEYED] : KEYED;
    const off = names.filter((name) => config.PROVIDERS_OFF.some((one) => one === name));
    return off.length === 0 ? "" : `; PROVIDERS_OFF switches off ${off.join(", ")}`;
  }
  const sources = { house: sourcesOf("house"), senate: sourcesOf("senate") };
  return {
    congress: liveCongress({
      providers: sources,
      repository: shelf,
      refresher: keeper,
      join,
      symbols,
      clock,
    }),
    refresher: keeper,
  };
}

/** Sources of both chambers. */
const KEYED = ["fmp", "unusualwhales", "finnhub", "kadoa"];
const KEYS =
  "FMP_KEY or UNUSUAL_WHALES_TOKEN connects one, FINNHUB_TOKEN of a paid plan one by ticker, KADOA_TERMS=accepted a free data set for research and education";
const MISSING: Readonly<Record<Chamber, string>> = {
  house: `No source of the House is on: the Clerk's reports need no key; ${KEYS}`,
  senate: `No source of the Senate answers without a key: ${KEYS}`,
};

const tickerResource = (providers: readonly Guarded<FilingsProvider>[], clock: Clock) =>
  resourceOf<FilingsRequest, Filings>({
    about: ({ ticker, chamber }) => `disclosures of ${ticker ?? "all"} in the ${chamber}`,
    providers,
    clock,
    keyOf: ({ chamber, ticker, since, until }) => [chamber, ticker, since, until].join("|"),
    freshMs: 6 * HOUR,
    staleMs: 7 * DAY,
  });
