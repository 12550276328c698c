import type { Disclosure } from "../../src/domain/congress/congress.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { Headline } from "../../src/domain/news/news.ts";
import type {
  OffExchangeDay,
  OffExchangeWeek,
  PriceVolume,
} from "../../src/domain/off-exchange/off-exchange.ts";
import type { Print } from "../../src/domain/off-exchange/prints.ts";
import type { OptionChain, PutCallDay } from "../../src/domain/options-flow/options.ts";
import type { Contract } from "../../src/domain/prediction-markets/contracts.ts";
import type { ShortInterestReport } from "../../src/domain/short-interest/short-interest.ts";
import { newYorkDate } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { filingsOf, type Member, memberOf } from "../../src/providers/sample/congress.ts";
import { createContractSearch } from "../../src/providers/sample/contracts.ts";
import { DAY_TICKS } from "../../src/providers/sample/intraday.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";
import { headlinesOf } from "../../src/providers/sample/news.ts";
import { offExchangeOn, offExchangeWeek, volumeByPrice } from "../../src/providers/sample/off-exchange.ts";
import { createOptionConditions } from "../../src/providers/sample/option-conditions.ts";
import type { Moment } from "../../src/providers/sample/option-contracts.ts";
import { chainOf, putCallsOn } from "../../src/providers/sample/options.ts";
import { createPrintSimulator } from "../../src/providers/sample/prints.ts";
import { cached, cachedByDay } from "../../src/providers/sample/recordings.ts";
import { shortInterestOf } from "../../src/providers/sample/short-interest.ts";
import { DAY_MS, dayAt, isoDate, startOf } from "../../src/providers/sample/time.ts";
import type { VenueName } from "../../src/providers/sample/venue-contracts.ts";
import { newYorkDayRange } from "../../src/providers/shared/timestamps.ts";
import { MARKET_ID, recordings } from "./market.ts";

const HEADLINE_DAYS = 7;
const FILING_DAYS = 120;
const PUT_CALL_DELAY_MS = 1.5 * 3_600_000;
/** Number of members of both chambers. */
const LEGISLATORS = 430;

/** A headline with a link. */
export type WorldHeadline = Headline & { readonly publisher: string; readonly url: string };

/** A filing of a simulated member of Congress. */
export interface WorldFiling {
  readonly docId: string;
  /** Filing date, `YYYY-MM-DD`. */
  readonly filed: string;
  readonly member: Legislator;
  /** Format of the report: rows of text, a scan, or missing. */
  readonly report: "rows" | "scan" | "gone";
  readonly trades: readonly (Disclosure & { readonly transaction_date: string })[];
}

/** A simulated member of Congress in the fields of the rosters. */
export interface Legislator extends Omit<Member, "name" | "memberId"> {
  readonly id: string;
  readonly first: string;
  readonly last: string;
}

/** Data that the vendors report in addition to prices: domain objects of the simulator behind the sample market. */
export interface WorldTopics {
  /** Headlines of the last seven days, newest first, at whole seconds; empty for null. */
  headlines(instrument: Instrument | null): readonly WorldHeadline[];
  /** Options of an instrument at one of its trades; null for an instrument without options. */
  chain(instrument: Instrument, trade: { readonly price: number; readonly at: number }): OptionChain | null;
  /** Put/call ratios of a session date, available 90 minutes after its close; null before that and on other dates. */
  putCalls(date: string): PutCallDay | null;
  /** Filings of the last 120 days, newest first. */
  filings(): readonly WorldFiling[];
  legislators(): readonly Legislator[];
  /** Contracts of a simulated venue that match a text. */
  contracts(text: string, venue: VenueName): readonly Contract[];
  /** Off-exchange prints of a session date reported so far, oldest first. */
  prints(instrument: Instrument, date: string): readonly Print[];
  /** Off-exchange volume of a completed session; null for any other date. */
  offExchange(instrument: Instrument, date: string): OffExchangeDay | null;
  /** Off-exchange volume of the sessions of the week that begins on a Monday (00:00 UTC), by kind of venue. */
  offExchangeWeek(instrument: Instrument, monday: number): readonly OffExchangeWeek[];
  /** Reports of short interest published so far within a year, oldest first. */
  shortInterest(instrument: Instrument): readonly ShortInterestReport[];
  /** Volume by price of a completed session; empty for any other date. */
  volumeByPrice(instrument: Instrument, date: string): readonly PriceVolume[];
}

const dayOfDate = (date: string): number => dayAt(Date.parse(date));
const recordingOf = ({ symbol }: Instrument) => recordings(symbol)!;

const headlinesOn = cachedByDay(16_384, (recording, day) => headlinesOf(recording, recordings("SPY")!, day));
const conditionsOn = createOptionConditions();
const { on: printsOn } = createPrintSimulator();
const chainAt = cached(
  64,
  (symbol: string, day: number, { at, price }: Pick<Moment, "at" | "price">) =>
    `${symbol} ${day} ${at} ${price}`,
  (symbol, day, { at, price }) => {
    const session = sessionOf(isoDate(startOf(day)))!;
    const elapsed = Math.min(1, Math.max(0, (at - session.open) / (session.close - session.open)));
    const moment = { day, to: Math.floor(elapsed * DAY_TICKS), at, price };
    const recording = recordings(symbol)!;
    return chainOf(recording, conditionsOn(recording, day)!, moment);
  },
);
const findContracts = createContractSearch(MARKET_ID, recordings);
const filingsOn = cached(
  1_024,
  (day: number) => day,
  (day) => filingsOf(MARKET_ID, recordings, day),
);

/** The simulator's topics as of a clock (epoch ms), with the simulator's days mapped to sessions of US exchanges. */
export function simulatedTopics({ now }: { readonly now: () => number }): WorldTopics {
  const closedSession = (date: string) => {
    const session = sessionOf(date);
    return session !== null && session.close <= now() ? session : null;
  };

  return {
    headlines(instrument) {
      if (instrument === null) return [];
      const today = dayAt(now());
      return Array.from({ length: HEADLINE_DAYS + 1 }, (_, back) => today - back)
        .flatMap((day) => headlinesOn(recordingOf(instrument), day))
        .map((headline) => ({
          ...headline,
          publisher: headline.publisher!,
          url: `https://news.example.com/${headline.id.toLowerCase()}`,
          publishedAt: Math.floor(headline.publishedAt / 1_000) * 1_000,
        }))
        .filter(({ publishedAt: at }) => at > now() - HEADLINE_DAYS * DAY_MS && at <= now())
        .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1));
    },

    chain(instrument, trade) {
      const date = newYorkDate(trade.at);
      const day = dayOfDate(date);
      if (sessionOf(date) === null || conditionsOn(recordingOf(instrument), day) === null) return null;
      const chain = chainAt(instrument.symbol, day, trade);
      return { ...chain, contracts: chain.contracts.filter(({ expiry }) => expiry >= newYorkDate(now())) };
    },

    putCalls(date) {
      const session = closedSession(date);
      if (session === null || session.close + PUT_CALL_DELAY_MS > now()) return null;
      const listed = LISTINGS.map(({ instrument }) => recordingOf(instrument));
      return putCallsOn(listed, conditionsOn, dayOfDate(date));
    },

    filings() {
      const today = dayAt(now());
      return Array.from({ length: FILING_DAYS }, (_, back) => today - back).flatMap((day) => {
        const filings = filingsOn(day);
        return filings.flatMap(({ filedAt, member, trades, unread }, i): readonly WorldFiling[] => {
          if (filedAt > now()) return [];
          const number = 10 * day + filings.length - i;
          const report = unread !== null ? "scan" : number % 13 === 0 ? "gone" : "rows";
          const dated = trades.map((trade) => ({ ...trade, transaction_date: trade.transaction_date! }));
          return [
            {
              docId: String(20_000_000 + number),
              filed: isoDate(startOf(day)),
              member: legislator(member),
              report,
              trades: dated,
            },
          ];
        });
      });
    },
    legislators: () =>
      Array.from({ length: LEGISLATORS }, (_, index) => legislator(memberOf(MARKET_ID, index))),

    contracts: (text, venue) => findContracts([text], now()).filter((contract) => contract.venue === venue),

    prints(instrument, date) {
      const session = sessionOf(date);
      if (session === null) return [];
      const day = dayOfDate(date);
      const until = Math.min(now(), newYorkDayRange(date).until - 1);
      const inSession = printsOn(recordingOf(instrument), day).map((print) => {
        const part = (print.executedAt - startOf(day)) / DAY_MS;
        const executedAt = session.open + Math.floor(part * (session.close - session.open));
        return { ...print, executedAt, reportedAt: executedAt + print.reportedAt - print.executedAt };
      });
      const known = inSession.filter(({ reportedAt }) => reportedAt <= until);
      // a cancellation replaces the print it cancels
      const byId = new Map(known.map((print) => [print.id, print]));
      return [...byId.values()].sort((a, b) => a.reportedAt - b.reportedAt);
    },

    offExchange: (instrument, date) =>
      closedSession(date) === null ? null : offExchangeOn(recordingOf(instrument), dayOfDate(date)),
    offExchangeWeek(instrument, monday) {
      const days = Array.from({ length: 5 }, (_, i) => dayAt(monday) + i);
      const sessions = days.filter((day) => closedSession(isoDate(startOf(day))) !== null);
      return sessions.length === 0 ? [] : offExchangeWeek(recordingOf(instrument), sessions, now());
    },
    shortInterest: (instrument) => shortInterestOf(recordingOf(instrument), now()),
    volumeByPrice: (instrument, date) =>
      closedSession(date) === null ? [] : volumeByPrice(recordingOf(instrument), dayOfDate(date)),
  };
}

/** A simulated member with a name and an id in the format of the rosters. */
function legislator({ name, memberId: _, ...member }: Member): Legislator {
  const number = Number(/\d+$/.exec(name)![0]);
  const letters = [Math.floor(number / 676), Math.floor(number / 26) % 26, number % 26]
    .map((letter) => String.fromCharCode(97 + letter))
    .join("");
  return { ...member, id: `S${String(number).padStart(6, "0")}`, first: "Sample", last: `Member${letters}` };
}
