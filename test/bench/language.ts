import { readdirSync, readFileSync } from "node:fs";
import { readRequestModels } from "../../src/app/request-model.ts";
import type { Symbols } from "../../src/domain/ports.ts";
import { definitionsIn } from "../../src/features/requests/define.ts";
import { pastIn } from "../../src/features/requests/details/past.ts";
import { priceOddsIn } from "../../src/features/requests/details/price-odds.ts";
import { topicsOf } from "../../src/features/requests/details/topics.ts";
import type { IntentClassifier } from "../../src/features/requests/language/intent.ts";
import { readQuery, withoutMiddle } from "../../src/features/requests/language/read-query.ts";
import { likeliestOf } from "../../src/features/requests/model/model.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";

interface Labelled {
  readonly query: string;
  /** Expected symbols that the market holds. */
  readonly symbols: readonly string[];
  /** Words for an instrument that the market does not hold, known or unknown. */
  readonly unresolved: readonly string[];
  readonly intent: string;
  readonly timeframe: string | null;
  readonly arguable?: boolean | string;
}

const classify = likeliestOf(readRequestModels().intents) as IntentClassifier;
const FOLDER = new URL("./language/", import.meta.url);
const PARTS = ["symbols", "intent", "timeframe", "unresolved"] as const;
type Part = (typeof PARTS)[number];

/** Text by which a part of a parsed query is compared: symbols in order, unresolved words without regard to case. */
const shown = (part: Part, one: Record<Part, unknown>): string =>
  part === "unresolved" ? (one[part] as readonly string[]).join(", ").toLowerCase() : String(one[part]);

/** A parsed query in the format of the labels: a known symbol that the market does not hold counts as unresolved. */
function labelsOf(query: string, symbols: Symbols): Record<Part, unknown> {
  const { mentions, unresolved, intent, timeframe } = readQuery(query, symbols, classify);
  const members = new Set(symbols.members().map(({ symbol }) => symbol));
  const isHeld = ({ instrument }: (typeof mentions)[number]) => members.has(instrument.symbol);
  const absent = mentions.filter((one) => !isHeld(one)).map(({ text }) => text);
  return {
    intent,
    timeframe,
    symbols: mentions.filter(isHeld).map(({ instrument }) => instrument.symbol),
    unresolved: [...absent, ...unresolved].sort((a, b) => query.indexOf(a) - query.indexOf(b)),
  };
}

const NOW = new Date("2026-11-20T12:00:00Z");

/** CPU milliseconds to parse a query, the median of seven runs. */
function readingTime(query: string, symbols: Symbols): number {
  const times = Array.from({ length: 7 }, () => {
    const started = process.cpuUsage();
    const { mentions } = readQuery(query, symbols, classify);
    const read = withoutMiddle(query);
    topicsOf(read);
    pastIn(read, NOW);
    definitionsIn(read);
    priceOddsIn(read, mentions);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[3]!;
}

function printTimes(name: string, times: readonly number[]): void {
  const took = [...times].sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(2);
  console.log(`  ${name.padEnd(10)} ${at(0.5)} ms median, ${at(0.95)} ms p95, ${at(1)} ms at most`);
}

/** Queries of the maximum length, made of text that is slow to parse. */
const LONGEST = 10_000;
const LONG = [
  "apple and microsoft vs nvidia or tesla and pepsi, ",
  "what is the meaning of bolinjer and stochstic divergense or retracemnt ",
  "zorbex blorbing quantile vexations hyperbolic ",
  "odds that bitcoin closes above $150,000 by the end of next year, not energy ",
  "on the 4 hour and daily 15m chart of last March 3rd, ",
  "AAPL/MSFT/NVDA/F/GM/T ",
  "NVDA ",
  "a ",
  "$",
  "x",
].map((words) => words.repeat(LONGEST).slice(0, LONGEST));

/**
 * Prints how many labelled queries of each file are parsed correctly, with `--misses` the others, and how long parsing
 * takes.
 */
export function run(): void {
  const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
    const queries: readonly Labelled[] = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
    const misses: string[] = [];
    const right: Record<Part, number> = { symbols: 0, intent: 0, timeframe: 0, unresolved: 0 };
    for (const labelled of queries) {
      const read = labelsOf(labelled.query, symbols);
      for (const part of PARTS) {
        const [got, meant] = [shown(part, read), shown(part, { ...labelled })];
        if (got === meant) right[part]++;
        else
          misses.push(
            `  ${part}: ${JSON.stringify(labelled.query)}\n    read ${got || "none"}, labelled ${meant || "none"}${labelled.arguable ? " (arguable)" : ""}`,
          );
      }
    }
    const share = (part: Part) => `${((100 * right[part]) / queries.length).toFixed(1)} %`;
    console.log(`${file}: ${queries.length} queries`);
    for (const part of PARTS) console.log(`  ${part.padEnd(10)} ${share(part)}`);
    printTimes(
      "reading",
      queries.map(({ query }) => readingTime(query, symbols)),
    );
    if (process.argv.includes("--misses")) console.log(misses.join("\n"));
  }
  const times = LONG.map((query) => readingTime(query, symbols));
  console.log(`${LONG.length} queries of ${LONGEST} characters`);
  printTimes("reading", times);
  if (process.argv.includes("--misses"))
    for (const [i, time] of times.entries()) console.log(`  ${time.toFixed(2)} ms: ${LONG[i]!.slice(0, 50)}`);
}
