import { amountBands } from "../../domain/congress/amount-band.ts";
import type { Chamber, Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type { Clock, Congress } from "../../domain/ports.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { LISTINGS } from "./listing.ts";
import { cached, type Recordings } from "./recordings.ts";
import { DAY_MS, dayAt, EPOCH, isoDate, startOf } from "./time.ts";

interface SampleFiling {
  /** Epoch ms. */
  readonly filedAt: number;
  readonly member: Member;
  readonly trades: readonly Disclosure[];
  /** Details of an unreadable filing; null if its trades can be read. */
  readonly unread: UnreadFiling | null;
}

const MEMBERS = 90;
const HOUSE_MEMBERS = 70;
const MAX_FILINGS_PER_DAY = 4;
const MAX_TRADES_PER_FILING = 4;
const FILING_DEADLINE_DAYS = 45;
/** Share of the trades whose direction matches the stock's later move relative to the market. */
export const CORRECT_SIDE_SHARE = 0.6;
/** Cumulative frequency of each amount band of the form, ascending; higher bands do not occur. */
const BANDS = [0.66, 0.83, 0.9, 0.95, 0.975, 0.99, 1] as const;
const STATES = "AL CA CO FL GA IL MI MN NC NY OH PA TX VA WA WI".split(" ");
const TRADABLE = LISTINGS.filter(({ instrument }) => instrument.asset_class !== "crypto");
const OWNERS = [
  [0.5, "self"],
  [0.7, "joint"],
  [0.92, "spouse"],
  [1, "child"],
] as const;
const AS_FILED = { self: null, joint: "JT", spouse: "SP", child: "DC" } as const;

const dateOf = (day: number): string => isoDate(startOf(day));

/** Returns the filings of a day in the market `id`, newest first. */
export function filingsOf(id: string, recordings: Recordings, day: number): readonly SampleFiling[] {
  const ofDay = keyOf(id, "congress", day);
  const count = Math.floor(unit(draw(ofDay, 0)) * (MAX_FILINGS_PER_DAY + 1));
  return Array.from({ length: count }, (_, i) => filing(i)).sort((a, b) => b.filedAt - a.filedAt);

  function filing(i: number): SampleFiling {
    const of = keyOf(ofDay, "filing", i);
    const share = (at: number) => unit(draw(of, at));
    const member = memberOf(id, Math.floor(MEMBERS * share(0) ** 1.6));
    const doc = `SIM-${day}-${i}`;
    const filedAt = startOf(day) + Math.floor(share(1) * DAY_MS);
    // some reports are filed on paper and scanned
    if (member.chamber === "house" && share(2) < 0.03) {
      const unread = {
        doc_id: doc,
        member: member.name,
        chamber: member.chamber,
        filing_date: dateOf(day),
        doc_url: null,
        why: "Scanned document without text",
      };
      return { filedAt, member, trades: [], unread };
    }
    const rows = Array.from({ length: 1 + Math.floor(share(3) * MAX_TRADES_PER_FILING) }, (_, row) =>
      tradeOf(keyOf(of, "row", row), { id: `${doc}-${row}`, day, member }, recordings),
    );
    return { filedAt, member, trades: rows.filter((row) => row !== null), unread: null };
  }
}

export interface Member {
  readonly name: string;
  readonly memberId: string;
  readonly chamber: Chamber;
  readonly party: "D" | "R" | "I";
  readonly state: string;
}

/** Returns the member with an index from 0; members with lower indexes file more often. */
export function memberOf(id: string, index: number): Member {
  const of = keyOf(id, "member", index);
  const side = unit(draw(of, 0));
  const number = index + 1;
  return {
    name: `Sample Member ${number}`,
    memberId: `SIM${String(number).padStart(4, "0")}`,
    // distributes the most active members over both chambers
    chamber: (index * 7) % MEMBERS < HOUSE_MEMBERS ? "house" : "senate",
    party: side < 0.47 ? "D" : side < 0.95 ? "R" : "I",
    state: STATES[Math.floor(unit(draw(of, 1)) * STATES.length)]!,
  };
}

function tradeOf(
  key: number,
  { id, day, member }: { readonly id: string; readonly day: number; readonly member: Member },
  recordings: Recordings,
): Disclosure | null {
  const share = (at: number) => unit(draw(key, at));
  const late = share(0) < 0.08;
  const lag = late
    ? FILING_DEADLINE_DAYS + 1 + Math.floor(200 * share(1))
    : 3 + Math.floor((FILING_DEADLINE_DAYS - 2) * share(1));
  const traded = day - lag;
  if (traded < 0) return null;
  const { instrument } = TRADABLE[Math.floor(share(2) * TRADABLE.length)]!;
  const bond = share(3) < 0.04;
  const excess = excessReturn(recordings, instrument.symbol, traded, day - 1);
  const buys = share(4) < CORRECT_SIDE_SHARE === excess >= 0;
  const type = share(5) < 0.02 ? ("exchange" as const) : buys ? ("buy" as const) : ("sell" as const);
  const partial = type === "sell" ? share(6) < 0.4 : null;
  const band = amountBands()[BANDS.findIndex((up) => share(7) < up)]!;
  const owner = OWNERS.find(([up]) => share(8) < up)![1];
  const kind = share(9) < 0.04 ? "option" : instrument.asset_class === "etf" ? "fund" : "stock";
  return {
    id,
    ticker: bond ? null : instrument.symbol,
    asset: bond ? `Sample Municipal Bond ${member.state}` : instrument.name,
    asset_type: bond ? "bond" : kind,
    type,
    partial,
    member: member.name,
    member_id: member.memberId,
    party: member.party,
    chamber: member.chamber,
    state: member.state,
    owner,
    amount: { ...band },
    transaction_date: dateOf(traded),
    filing_date: dateOf(day),
    days_to_file: lag,
    late,
    amended: false,
    doc_url: null,
    missing: bond ? "doc_url: simulated; ticker: a bond has none" : "doc_url: simulated",
    as_filed: {
      type: type === "buy" ? "P" : type === "exchange" ? "E" : partial ? "S (partial)" : "S",
      amount: band.label,
      owner: AS_FILED[owner],
    },
  };
}

/** Returns a listing's return minus the market's return between the closes of two days, as a fraction. */
function excessReturn(recordings: Recordings, symbol: string, from: number, until: number): number {
  const over = (name: string) => {
    const path = recordings(name)?.path;
    return path === undefined || until <= from ? 0 : path.candle(until).close / path.candle(from).close;
  };
  return over(symbol) - over("SPY");
}

const SOURCE = "sample";
/** Number of calendar days of filings in the cache. */
const CACHED_DAYS = 4_096;

/**
 * Creates the simulated disclosures of fictional members. They are filed up to 45 days after the trade, some later,
 * and match the stock's move between trade and filing in three of five cases. A filing is never returned
 * before its filing time.
 */
export function sampleCongress(id: string, recordings: Recordings, clock: Clock): Congress {
  const filingsOn = cached(
    CACHED_DAYS,
    (day: number) => day,
    (day) => filingsOf(id, recordings, day),
  );

  return {
    async disclosures({ symbol, chamber, from, until }) {
      const now = clock.now().getTime();
      const first = Math.max(0, dayAt(Date.parse(from)));
      const trades: Disclosure[] = [];
      const unread: UnreadFiling[] = [];
      for (let day = dayAt(Math.min(Date.parse(until), now)); day >= first; day--)
        for (const filing of filingsOn(day)) {
          if (filing.filedAt > now || (chamber !== undefined && filing.member.chamber !== chamber)) continue;
          if (filing.unread !== null) unread.push(filing.unread);
          for (const trade of filing.trades)
            if (symbol === undefined || trade.ticker === symbol) trades.push(trade);
        }
      const covered = { covered: true, source: SOURCE, since: isoDate(EPOCH), reason: null };
      return {
        trades,
        unread,
        source: SOURCE,
        fetched_at: new Date(now).toISOString(),
        as_of: isoDate(now),
        stale: false,
        coverage: { house: covered, senate: covered },
        reason: null,
      };
    },
  };
}
