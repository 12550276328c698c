import type { Config } from "./config.ts";
import { urlSettingOf } from "./config.ts";
import type { Chamber } from "./domain/congress.ts";
import { type ChamberSources, liveCongress } from "./market/live/congress.ts";
import { type CongressKeeper, congressKeeper } from "./market/live/congress-keeper.ts";
import type { Filings, FilingsProvider, FilingsQuestion } from "./market/live/filings.ts";
import { type Guardable, type Guarded, guard, type Lent } from "./market/live/guard.ts";
import { resourceOf } from "./market/live/resource.ts";
import { joining, type Roster, unjoined } from "./market/live/roster.ts";
import type { DisclosureShelf } from "./ports/disclosure-shelf.ts";
import type { Clock, Congress, Log, Symbols } from "./ports/index.ts";
import { finnhubCongress } from "./providers/finnhub/congress.ts";
import { fmpCongress } from "./providers/fmp/congress.ts";
import { houseclerk } from "./providers/houseclerk/source.ts";
import { kadoaCongress } from "./providers/kadoa/congress.ts";
import { legislators } from "./providers/legislators/source.ts";
import { unusualWhalesCongress } from "./providers/unusualwhales/congress.ts";
import type { SourceSetup } from "./providers/wire.ts";
import type { VendorName } from "./vendors.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A list and ten reports, each waiting for its turn. */
const TIMEOUT_MS = 90_000;
const PATIENCE_MS = 60_000;
/** One answer that a person waits for. */
const ASKED_TIMEOUT_MS = 8_000;

interface CongressLent {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly symbols: Symbols;
  readonly shelf: DisclosureShelf;
}

/** Disclosures of Congress, and what keeps them current. */
export interface CongressPorts {
  readonly congress: Congress;
  readonly keeper: CongressKeeper;
}

/** Disclosures from the sources that the settings switch on: the House's own reports first, then what a key opens, the free data set last. */
export function congressPorts(
  config: Config,
  { fetch, clock, log, symbols, shelf }: CongressLent,
): CongressPorts {
  const { FMP_KEY: key, UNUSUAL_WHALES_TOKEN: whales, FINNHUB_TOKEN: token, KADOA_TERMS: kadoa } = config;
  /** One source behind its guard; none where it is switched off or lacks what it needs. */
  function on<S extends Guardable>(
    name: VendorName,
    make: ((setup: SourceSetup) => S) | null,
    timeoutMs = TIMEOUT_MS,
  ): readonly Guarded<S>[] {
    if (make === null || config.PROVIDERS_OFF.includes(name)) return [];
    const build = ({ fetch: counted, heard }: Lent) =>
      make({ fetch: counted, heard, baseUrl: config[urlSettingOf(name)] });
    return [guard(build, { fetch, clock, timeoutMs, patienceMs: PATIENCE_MS })];
  }
  const fmp = key === undefined ? null : (setup: SourceSetup) => fmpCongress({ ...setup, key });
  const unusual =
    whales === undefined ? null : (setup: SourceSetup) => unusualWhalesCongress({ ...setup, token: whales });
  const finnhub = token === undefined ? null : (setup: SourceSetup) => finnhubCongress({ ...setup, token });
  const both = [
    ...on("fmp", fmp),
    ...on("unusualwhales", unusual),
    ...on("kadoa", kadoa === undefined ? null : kadoaCongress),
  ];
  const kept = { house: [...on("houseclerk", houseclerk), ...both], senate: both };
  const byTicker = [
    ...on("fmp", fmp, ASKED_TIMEOUT_MS),
    ...on("unusualwhales", unusual, ASKED_TIMEOUT_MS),
    ...on("finnhub", finnhub, ASKED_TIMEOUT_MS),
  ];
  const roster = resourceOf<null, Roster>({
    about: () => "the roster of Congress",
    providers: on("legislators", legislators, ASKED_TIMEOUT_MS),
    clock,
    keyOf: () => "roster",
    freshMs: 7 * DAY,
    staleMs: 60 * DAY,
  });
  const join = async () => {
    const told = await roster(null).catch(() => null);
    return told === null ? unjoined : joining(told.answer);
  };
  const keeper = congressKeeper({ sources: kept, shelf, join, clock, log });
  const asked = byTicker.length === 0 ? null : tickerResource(byTicker, clock);
  const sourcesOf = (chamber: Chamber): ChamberSources => ({
    kept: kept[chamber].map(({ source }) => source.name),
    byTicker: asked,
    missing: MISSING[chamber],
  });
  const sources = { house: sourcesOf("house"), senate: sourcesOf("senate") };
  return { congress: liveCongress({ sources, shelf, keeper, join, symbols, clock }), keeper };
}

const KEYS =
  "FMP_KEY or UNUSUAL_WHALES_TOKEN connects one, FINNHUB_TOKEN of a paid plan one by ticker, KADOA_TERMS=accepted a free data set for research and education";
const MISSING: Readonly<Record<Chamber, string>> = {
  house: `No source of the House is on: the Clerk's reports need no key; ${KEYS}`,
  senate: `No source of the Senate answers without a key: ${KEYS}`,
};

const tickerResource = (providers: readonly Guarded<FilingsProvider>[], clock: Clock) =>
  resourceOf<FilingsQuestion, Filings>({
    about: ({ ticker, chamber }) => `disclosures of ${ticker ?? "all"} in the ${chamber}`,
    providers,
    clock,
    keyOf: ({ chamber, ticker, since, until }) => [chamber, ticker, since, until].join("|"),
    freshMs: 6 * HOUR,
    staleMs: 7 * DAY,
  });
