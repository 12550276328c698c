import type { Chamber, Covered, Disclosure } from "../../../domain/congress/congress.ts";
import type {
  DisclosureRepository,
  DisclosureState,
} from "../../../domain/congress/disclosure-repository-port.ts";
import type { Filings, FilingsRequest } from "../../../domain/congress/provider.ts";
import type { ProviderAttempt } from "../../../domain/market/provenance.ts";
import type { Clock, DisclosureRequest } from "../../../domain/ports.ts";
import { ToolError } from "../../../kernel/errors.ts";
import type { Resource } from "../../../market/failover/resource.ts";
import { attemptsOf, type DisclosureRefresher } from "./disclosure-refresher.ts";
import type { Join } from "./roster.ts";

const HOUR = 3_600_000;
/** Age after which stored filings are refreshed in the background, and age after which they count as stale, ms. */
const REFRESH_AFTER_MS = 20 * HOUR;
const STALE_MS = 48 * HOUR;

/** Maximum wait for the first download, ms; shorter than the deadline of a call. */
const MAX_WAIT_MS = 20_000;

const STILL_LOADING = "Older filings are still being read: retry in a few minutes";

export interface ChamberProviders {
  /** Names of providers whose disclosures are stored, in order of preference. */
  readonly stored: readonly string[];
  /** Reads one ticker at a time from providers that need a ticker; null if none is connected. */
  readonly byTicker: Resource<FilingsRequest, Filings> | null;
  /** Setting that connects a provider, if none is. */
  readonly missing: string;
}

export interface ChamberAnswerOptions {
  readonly providers: Readonly<Record<Chamber, ChamberProviders>>;
  readonly repository: DisclosureRepository;
  readonly refresher: DisclosureRefresher;
  /** Loads the function that adds member and party to a disclosure. */
  readonly join: () => Promise<Join>;
  readonly clock: Clock;
  /** Maximum wait for a first answer, ms. Default: 20 s. */
  readonly waitMs?: number;
}

/** Disclosures of one chamber from one provider. */
export interface ChamberAnswer {
  readonly covered: Covered;
  readonly trades: readonly Disclosure[];
  readonly unread: Awaited<ReturnType<DisclosureRepository["unread"]>>;
  readonly fetchedAt: number | null;
  readonly asOf: string | null;
  readonly stale: boolean;
  /** true: no provider responded and nothing is stored. */
  readonly failed: boolean;
  readonly tried: readonly ProviderAttempt[];
}

/**
 * Creates a reader of one chamber's disclosures. It uses a single provider, so that no filing appears twice: the stored
 * disclosures, or the provider's answer for one ticker if the stored ones do not go back far enough.
 */
export function createChamberReader({
  providers,
  repository,
  refresher,
  join,
  clock,
  waitMs = MAX_WAIT_MS,
}: ChamberAnswerOptions) {
  const now = () => clock.now().getTime();

  async function partOf(
    chamber: Chamber,
    request: DisclosureRequest,
    ticker: string | null,
  ): Promise<ChamberAnswer> {
    const { stored, byTicker, missing } = providers[chamber];
    if (stored.length > 0) {
      const part = await storedPart(chamber, request, ticker);
      const { since } = part.covered;
      if (ticker === null || byTicker === null || (since !== null && since <= request.from)) return part;
      // the stored filings start later than the requested range
      const fullAnswer = await tickerPart(byTicker, { chamber, request, ticker });
      return fullAnswer.covered.covered ? fullAnswer : part;
    }
    if (byTicker === null) return uncoveredChamber(missing);
    if (ticker === null) return uncoveredChamber(`Its provider requires a ticker. ${missing}`);
    return tickerPart(byTicker, { chamber, request, ticker });
  }

  async function storedPart(
    chamber: Chamber,
    request: DisclosureRequest,
    ticker: string | null,
  ): Promise<ChamberAnswer> {
    let held = await freshest(chamber);
    let tried: readonly ProviderAttempt[] = [];
    if (held === null || held.state.newest === null) {
      tried = await refresher.waitForFirst(chamber, { waitMs, signal: request.signal });
      held = await freshest(chamber);
    } else if (now() - (held.state.refreshedAt ?? 0) > REFRESH_AFTER_MS)
      refresher.refreshInBackground(chamber);
    if (held === null) return unavailableChamber(tried);
    const { source, state } = held;
    const key = { source, chamber };
    const { from, until } = request;
    const range = { from, until };
    return {
      ...NO_TRADES,
      covered: {
        covered: true,
        source,
        since: state.completeFrom,
        reason: state.refreshedAt === null ? STILL_LOADING : refresher.note(chamber),
      },
      trades: await repository.trades(key, { ...range, ticker }),
      unread: await repository.unread(key, range),
      fetchedAt: state.answeredAt,
      asOf: state.newest,
      stale: now() - (state.refreshedAt ?? state.answeredAt ?? now()) > STALE_MS,
    };
  }

  /**
   * Returns the first provider whose stored filings are current, else the most recently refreshed one; null if nothing
   * was ever stored.
   */
  async function freshest(chamber: Chamber) {
    const all: { readonly source: string; readonly state: DisclosureState }[] = [];
    for (const source of providers[chamber].stored)
      all.push({ source, state: await repository.state({ source, chamber }) });
    const ageOf = ({ state }: { readonly state: DisclosureState }) => now() - (state.refreshedAt ?? 0);
    const known = all.filter(({ state }) => state.newest !== null || state.refreshedAt !== null);
    return (
      known.find((one) => ageOf(one) <= STALE_MS) ?? known.sort((a, b) => ageOf(a) - ageOf(b))[0] ?? null
    );
  }

  async function tickerPart(
    resource: Resource<FilingsRequest, Filings>,
    { chamber, request, ticker }: { chamber: Chamber; request: DisclosureRequest; ticker: string },
  ): Promise<ChamberAnswer> {
    const { from, until, signal } = request;
    const filingsRequest = { chamber, ticker, since: from, until, known: new Set<string>() };
    try {
      const provided = await resource(filingsRequest, { signal });
      if (provided === null) return uncoveredChamber("Its provider does not cover this ticker");
      const joined = await join();
      const trades = provided.answer.trades.map(joined);
      const days = trades.map(({ filing_date }) => filing_date).sort();
      return {
        ...NO_TRADES,
        covered: { covered: true, source: provided.source, since: from, reason: null },
        trades: trades.filter(({ filing_date }) => filing_date >= from && filing_date <= until),
        fetchedAt: provided.fetchedAt,
        asOf: days.at(-1) ?? null,
        stale: provided.stale,
      };
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause;
      return unavailableChamber(attemptsOf(cause));
    }
  }

  return partOf;
}

const NO_TRADES = {
  trades: [],
  unread: [],
  fetchedAt: null,
  asOf: null,
  stale: false,
  failed: false,
  tried: [],
} as const;
const uncoveredChamber = (reason: string): ChamberAnswer => ({
  ...NO_TRADES,
  covered: { covered: false, source: null, since: null, reason },
});

/** Returns the answer for a chamber whose providers are all unavailable. */
function unavailableChamber(tried: readonly ProviderAttempt[]): ChamberAnswer {
  const ended = new Map(tried.map(({ provider, outcome }) => [provider, outcome]));
  const names = [...ended]
    .map(([name, outcome]) => `${name} (${FAILURE_TEXT[outcome] ?? outcome})`)
    .join(", ");
  const reason = `No provider responds now${names === "" ? "" : `: ${names}`}`;
  return { ...uncoveredChamber(reason), failed: true, tried };
}
const FAILURE_TEXT: Readonly<Record<string, string>> = {
  timeout: "timeout",
  malformed: "unreadable response",
  blocked: "returned a web page instead of data",
  down: "no response",
  auth: "rejected the key",
  rate_limited: "rate limited",
  resting: "paused after failures",
};
export const notRequested = (): ChamberAnswer => uncoveredChamber("Not requested");
