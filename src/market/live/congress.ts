import type { Chamber, Covered, Disclosure } from "../../domain/congress.ts";
import type { Instrument } from "../../domain/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { DisclosureShelf, ShelfState } from "../../ports/disclosure-shelf.ts";
import type { Clock, Congress, DisclosureRequest, Symbols } from "../../ports/index.ts";
import { tickerOf } from "../listings.ts";
import type { CongressKeeper } from "./congress-keeper.ts";
import type { Filings, FilingsQuestion } from "./filings.ts";
import type { Resource } from "./resource.ts";
import type { Join } from "./roster.ts";

const HOUR = 3_600_000;
/** Age from which what is held is fetched anew beside the answer, and from which it is called stale. */
const DUE_MS = 20 * HOUR;
const STALE_MS = 48 * HOUR;
const CHAMBERS = ["house", "senate"] as const satisfies readonly Chamber[];

/** Who answers for one chamber. */
export interface ChamberSources {
  /** Sources whose disclosures are kept, by name, in the order in which they are read. */
  readonly kept: readonly string[];
  /** Sources that answer for one ticker at a time; null where none is connected. */
  readonly byTicker: Resource<FilingsQuestion, Filings> | null;
  /** What would connect a source, where none is. */
  readonly missing: string;
}

export interface LiveCongressOptions {
  readonly sources: Readonly<Record<Chamber, ChamberSources>>;
  readonly shelf: DisclosureShelf;
  readonly keeper: CongressKeeper;
  /** Who filed, as far as the roster can be had. */
  readonly join: () => Promise<Join>;
  readonly symbols: Symbols;
  readonly clock: Clock;
}

/** What one chamber's source told. */
interface Part {
  readonly covered: Covered;
  readonly trades: readonly Disclosure[];
  readonly unread: Awaited<ReturnType<DisclosureShelf["unread"]>>;
  readonly fetchedAt: number | null;
  readonly asOf: string | null;
  readonly stale: boolean;
  /** No source answered, and nothing is held. */
  readonly failed: boolean;
}

/**
 * Disclosures of the live market: each chamber from one source, so that none is counted twice, out of what is kept; the first
 * question waits for a first answer, later ones are answered at once while what is held is renewed beside them.
 */
export function liveCongress(options: LiveCongressOptions): Congress {
  const { sources, shelf, keeper, join, symbols, clock } = options;
  const now = () => clock.now().getTime();

  async function partOf(chamber: Chamber, request: DisclosureRequest, ticker: string | null): Promise<Part> {
    const { kept, byTicker, missing } = sources[chamber];
    if (kept.length > 0) {
      const part = await keptPart(chamber, request, ticker);
      const { since } = part.covered;
      if (ticker === null || byTicker === null || (since !== null && since <= request.from)) return part;
      // what is kept does not go back as far as one ticker can be asked for
      const whole = await tickerPart(byTicker, { chamber, request, ticker });
      return whole.covered.covered ? whole : part;
    }
    if (byTicker === null) return uncovered(missing);
    if (ticker === null) return uncovered(`Its source answers for one ticker at a time. ${missing}`);
    return tickerPart(byTicker, { chamber, request, ticker });
  }

  async function keptPart(
    chamber: Chamber,
    request: DisclosureRequest,
    ticker: string | null,
  ): Promise<Part> {
    let held = await freshest(chamber);
    if (held === null || held.state.newest === null) {
      await keeper.refresh(chamber, { signal: request.signal, once: true }).catch(() => undefined);
      held = await freshest(chamber);
    } else if (now() - (held.state.refreshedAt ?? 0) > DUE_MS) keeper.refreshBeside(chamber);
    if (held === null) return { ...uncovered("No source answers just now"), failed: true };
    const { source, state } = held;
    const place = { source, chamber };
    const { from, until } = request;
    const range = { from, until };
    return {
      covered: { covered: true, source, since: state.completeFrom, reason: null },
      trades: await shelf.trades(place, { ...range, ticker }),
      unread: await shelf.unread(place, range),
      fetchedAt: state.refreshedAt,
      asOf: state.newest,
      // one that is being read for the first time is not whole, and not old
      stale: state.refreshedAt !== null && now() - state.refreshedAt > STALE_MS,
      failed: false,
    };
  }

  /** The first source that is current; else the one that was last. Null where nothing was ever kept. */
  async function freshest(chamber: Chamber) {
    const all: { readonly source: string; readonly state: ShelfState }[] = [];
    for (const source of sources[chamber].kept)
      all.push({ source, state: await shelf.state({ source, chamber }) });
    const ageOf = ({ state }: { readonly state: ShelfState }) => now() - (state.refreshedAt ?? 0);
    const known = all.filter(({ state }) => state.newest !== null || state.refreshedAt !== null);
    return (
      known.find((one) => ageOf(one) <= STALE_MS) ?? known.sort((a, b) => ageOf(a) - ageOf(b))[0] ?? null
    );
  }

  async function tickerPart(
    ask: Resource<FilingsQuestion, Filings>,
    { chamber, request, ticker }: { chamber: Chamber; request: DisclosureRequest; ticker: string },
  ): Promise<Part> {
    const { from, until, signal } = request;
    const question = { chamber, ticker, since: from, until, known: new Set<string>() };
    try {
      const told = await ask(question, signal === undefined ? {} : { signal });
      if (told === null) return uncovered("Its source does not cover this ticker");
      const joined = await join();
      const trades = told.answer.trades.map(joined);
      return {
        covered: { covered: true, source: told.source, since: from, reason: null },
        trades: trades.filter(({ filing_date }) => filing_date >= from && filing_date <= until),
        unread: [],
        fetchedAt: told.fetchedAt,
        asOf:
          trades
            .map(({ filing_date }) => filing_date)
            .sort()
            .at(-1) ?? null,
        stale: told.stale,
        failed: false,
      };
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause;
      return { ...uncovered("Its source does not answer just now, or refuses the key"), failed: true };
    }
  }

  return {
    async disclosures(request) {
      const asked = CHAMBERS.filter(
        (chamber) => request.chamber === undefined || request.chamber === chamber,
      );
      const ticker = request.symbol === undefined ? null : filedAs(request.symbol, symbols);
      const parts = { house: notAsked(), senate: notAsked() };
      for (const chamber of asked) parts[chamber] = await partOf(chamber, request, ticker);
      const told = asked.map((chamber) => parts[chamber]);
      const covering = told.filter(({ covered }) => covered.covered);
      if (covering.length === 0 && told.some(({ failed }) => failed))
        throw new ToolError("UPSTREAM_UNAVAILABLE", "No source of disclosures answers just now", {
          hint: "Ask again in a minute; `market-signal doctor` says which sources work.",
        });
      const names = new Set(covering.flatMap(({ covered }) => covered.source ?? []));
      const fetched = covering.flatMap(({ fetchedAt }) => fetchedAt ?? []);
      return {
        trades: told.flatMap(({ trades }) => trades),
        unread: told.flatMap(({ unread }) => unread),
        source: names.size === 0 ? null : [...names].join("+"),
        fetched_at: fetched.length === 0 ? null : new Date(Math.min(...fetched)).toISOString(),
        as_of:
          covering
            .flatMap(({ asOf }) => asOf ?? [])
            .sort()
            .at(-1) ?? null,
        stale: covering.some(({ stale }) => stale),
        coverage: { house: parts.house.covered, senate: parts.senate.covered },
        reason: covering.length > 0 ? null : told.map(({ covered }) => covered.reason).join(" "),
      };
    },
  };
}

const uncovered = (reason: string): Part => ({
  covered: { covered: false, source: null, since: null, reason },
  trades: [],
  unread: [],
  fetchedAt: null,
  asOf: null,
  stale: false,
  failed: false,
});
const notAsked = (): Part => uncovered("Not asked about");

/** What filings call an instrument: a fund's bare ticker, a token's pair. */
function filedAs(symbol: string, symbols: Symbols): string {
  const found: Instrument | undefined = symbols.find(symbol)?.instrument;
  return found === undefined || found.asset_class === "crypto" ? symbol : tickerOf(found);
}
