import { amountBands } from "../../../src/domain/congress/amount-band.ts";
import { draw, keyOf, unit } from "../../../src/providers/sample/draws.ts";
import type { World } from "../world.ts";

const DAY = 86_400_000;
/** Days of filings behind the world's moment, one filing on most of them. */
const DAYS = 120;
const TICKERS = ["AAPL", "MSFT", "SPY", "BRK.B"];
const PEOPLE = 430;
const OF_THE_HOUSE = 330;

/** Somebody who does not exist. */
export interface Person {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly chamber: "house" | "senate";
  readonly state: string;
  readonly party: "D" | "R" | "I";
}

/** One filing of the replayed world. */
export interface WorldFiling {
  readonly docId: string;
  readonly filed: string;
  readonly person: Person;
  /** What its report is: rows to read, a picture, or not there. */
  readonly report: "rows" | "scan" | "gone";
  readonly rows: readonly {
    readonly ticker: string;
    readonly traded: string;
    readonly side: "buy" | "sell" | "part";
    readonly band: { readonly low: number; readonly high: number | null; readonly label: string };
  }[];
}

const STATES = ["CA", "TX", "NY", "FL", "OH"];
const letters = (index: number): string =>
  [Math.floor(index / 676), Math.floor(index / 26) % 26, index % 26]
    .map((one) => String.fromCharCode(97 + one))
    .join("");

/** Everybody who sits in the replayed Congress. */
export const people = (): readonly Person[] =>
  Array.from({ length: PEOPLE }, (_, index) => ({
    id: `S${String(index).padStart(6, "0")}`,
    first: "Sample",
    last: `Member${letters(index)}`,
    chamber: index < OF_THE_HOUSE ? "house" : "senate",
    state: STATES[index % STATES.length]!,
    party: index % 20 === 0 ? "I" : index % 2 === 0 ? "D" : "R",
  }));

const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** What was filed by the world's moment, newest first. The same day has the same filing whenever it is asked for. */
export function filingsOf(world: World): readonly WorldFiling[] {
  const today = Math.floor(world.now() / DAY);
  const everybody = people();
  return Array.from({ length: DAYS }, (_, back) => today - back).flatMap((day): readonly WorldFiling[] => {
    const key = keyOf("disclosed", day);
    const share = (at: number) => unit(draw(key, at));
    if (share(0) < 0.3) return [];
    const person = everybody[Math.floor(share(1) * PEOPLE)]!;
    const rows = Array.from({ length: 1 + Math.floor(share(3) * 2) }, (_, row) => ({
      ticker: TICKERS[Math.floor(share(10 + row) * TICKERS.length)]!,
      traded: iso((day - 3 - Math.floor(share(20 + row) * 40)) * DAY),
      side: (["buy", "sell", "part"] as const)[Math.floor(share(30 + row) * 3)]!,
      band: amountBands()[Math.floor(share(40 + row) * 5)]!,
    }));
    const report = day % 11 === 0 ? "scan" : day % 13 === 0 ? "gone" : "rows";
    return [{ docId: String(20_000_000 + day), filed: iso(day * DAY), person, report, rows }];
  });
}

export const fullName = ({ first, last }: Person): string => `${first} ${last}`;
