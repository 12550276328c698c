import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bars } from "../../src/domain/market/bars.ts";
import { testData } from "../support/test-data.ts";
import { measure } from "./detectors/measure.ts";
import { ratesOf, verdictsOf } from "./detectors/rates.ts";
import { measuredText, misses } from "./detectors/report.ts";
import { ratesText, verdictsText } from "./detectors/report-rates.ts";
import { filesIn, shuffled, walk } from "./detectors/series.ts";
import { skillOf, skillText } from "./detectors/skill.ts";

const SEEDS = 500;
const MILLION = 1_000_000;
const WALK = 10_000;
const RESULTS = join(import.meta.dirname, "../../docs/results/detectors.md");
const FIGURES = [
  { noise: 0.5, least: 0.95 },
  { noise: 1, least: 0.8 },
] as const;

/**
 * Measures the structure detectors on planted events, random walks, shuffled returns and real files, and prints the
 * results; `npm run bench -- detectors --write` writes them to docs/results/detectors.md. Fails if a target is missed.
 */
export function run(): void {
  const parts: string[] = [];
  const say = (text: string) => {
    console.log(`${text}\n`);
    parts.push(text);
  };
  say(INTRODUCTION);
  for (const { noise, least } of FIGURES) {
    const measured = measure(SEEDS, noise, true);
    say(measuredText(measured, SEEDS, noise, `at least ${least.toFixed(2)}`));
    const missed = misses(measured, least);
    if (missed.length > 0 || measured.refused + measured.broken + measured.misjudged > 0) {
      say(`**Missed: ${missed.join(", ")}**`);
      process.exitCode = 1;
    }
  }
  for (const { noise } of FIGURES) say(measuredText(measure(SEEDS, noise, false), SEEDS, noise, null));
  const folder = testData("ohlcv");
  const files = folder === null ? null : filesIn(folder);
  const real = files === null ? [] : [...files.us, ...files.crypto];
  const markets: Record<string, () => Iterable<Bars>> = { "random walk": () => walks(MILLION) };
  if (files === null) say("No real files here: set MARKET_SIGNAL_TEST_DATA.");
  else {
    markets["shuffled returns"] = () => shuffles(real, MILLION);
    markets["US files"] = () => files.us;
    markets["crypto files"] = () => files.crypto;
  }
  say(
    ratesText(Object.fromEntries(Object.entries(markets).map(([name, series]) => [name, ratesOf(series())]))),
  );
  const strides = { "random walk": 200, "shuffled returns": 200 } as Readonly<Record<string, number>>;
  say(
    verdictsText(
      Object.fromEntries(
        Object.entries(markets).map(([name, series]) => [name, verdictsOf(series(), strides[name] ?? 20)]),
      ),
    ),
  );
  say(
    skillText(
      Object.fromEntries(
        Object.entries(markets).map(([name, series]) => [name, skillOf(series(), strides[name] ?? 20)]),
      ),
    ),
  );
  if (process.argv.includes("--write")) writeFileSync(RESULTS, `${parts.join("\n\n")}\n`);
}

function* walks(bars: number): Iterable<Bars> {
  for (let seed = 0; seed * WALK < bars; seed++) yield walk(seed, WALK);
}

/** Shuffles every file in turn, repeatedly, until there are enough bars. */
function* shuffles(files: readonly Bars[], bars: number): Iterable<Bars> {
  for (let made = 0, seed = 0; made < bars; seed++) {
    const one = shuffled(files[seed % files.length]!, seed);
    made += one.close.length;
    yield one;
  }
}

const INTRODUCTION = `# What the detectors of structure find

Written by \`npm run bench -- detectors --write\`; \`npm run bench -- detectors\` prints it again and fails when a figure is
missed. A small version of it runs in \`npm test\`.

Series with hidden parameters are planted with trading ranges (a Spring, a sign of strength and a last point of support,
upside down a UTAD, a sign of weakness and a last point of supply), trends, impulses, zigzags and flats: a path of
log prices, autoregressive noise of .5 and 1 ATR on it, bars held within the edges of what was planted. An oracle that
shares no code with the detectors tries the written definitions on every bar and window of the finished bars. **Truth**
is what was planted and the oracle confirms. An event is found when one of its type is detected less than 5 bars away, an
impulse when all its six turns are within 2 bars; each counts once, at whatever bar it was detected. **By chance** is what
the detectors find, the oracle confirms and was not planted; **neither** is what the oracle rejects, and of phases
any other than planted. A series in which noise makes an event by chance does not know the whole truth about itself:
the figures to reach are those of series whose noise is drawn again until it makes none, by the oracle and never by the
detectors; the same series with everything that chance makes follow below them. The last line below each table judges six prices
made to keep every hard rule, or to break one (R4 with R3, which it implies), up and down.`;
