import { readdirSync, readFileSync } from "node:fs";
import { createDirectory } from "../src/market/directory.ts";
import type { Symbols } from "../src/ports/index.ts";
import { LISTINGS } from "../src/providers/sample/listing.ts";
import { readQuery } from "../src/signals/language/read-query.ts";

interface Labelled {
  readonly query: string;
  readonly symbols: readonly string[];
  readonly unresolved: readonly string[];
  readonly intent: string;
  readonly timeframe: string | null;
  readonly arguable?: boolean | string;
}

const FOLDER = new URL("./language/", import.meta.url);
const PARTS = ["symbols", "intent", "timeframe", "unresolved"] as const;
type Part = (typeof PARTS)[number];

/** How a part of a reading is compared: symbols in their order, unresolved words in any case. */
const shown = (part: Part, one: Record<Part, unknown>): string =>
  part === "unresolved" ? (one[part] as readonly string[]).join(", ").toLowerCase() : String(one[part]);

/** Milliseconds that reading takes, the middle one of five times. */
function readingTime(query: string, symbols: Symbols): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    readQuery(query, symbols);
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[2]!;
}

/** Prints how many labelled queries of each file are read as labelled, with `--misses` those that are not, and how long reading takes. */
export function run(): void {
  const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
    const queries: readonly Labelled[] = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
    const misses: string[] = [];
    const right: Record<Part, number> = { symbols: 0, intent: 0, timeframe: 0, unresolved: 0 };
    const took: number[] = [];
    for (const labelled of queries) {
      const { mentions, ...reading } = readQuery(labelled.query, symbols);
      took.push(readingTime(labelled.query, symbols));
      const read = { ...reading, symbols: mentions.map(({ instrument }) => instrument.symbol) };
      for (const part of PARTS) {
        const [got, meant] = [shown(part, read), shown(part, labelled)];
        if (got === meant) right[part]++;
        else
          misses.push(
            `  ${part}: ${JSON.stringify(labelled.query)}\n    read ${got || "none"}, labelled ${meant || "none"}${labelled.arguable ? " (arguable)" : ""}`,
          );
      }
    }
    took.sort((a, b) => a - b);
    const at = (share: number) =>
      took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(2);
    const share = (part: Part) => `${((100 * right[part]) / queries.length).toFixed(1)} %`;
    console.log(`${file}: ${queries.length} queries`);
    for (const part of PARTS) console.log(`  ${part.padEnd(10)} ${share(part)}`);
    console.log(`  reading    ${at(0.5)} ms median, ${at(0.95)} ms p95`);
    if (process.argv.includes("--misses")) console.log(misses.join("\n"));
  }
}
