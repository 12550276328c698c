import { writeFileSync } from "node:fs";
import { type LogOdds, type Model, probabilitiesOf, unpackModel } from "../../src/analytics/news/classify.ts";
import { headlineOdds, headlineSentiment } from "../../src/analytics/news/headline-sentiment.ts";
import shippedCounts from "../../src/analytics/news/lexicon-counts.json" with { type: "json" };
import { type EvidenceCounts, NET_STATEMENTS } from "../../src/analytics/news/pool.ts";
import weights from "../../src/analytics/news/weights.json" with { type: "json" };
import type { NewsLabel } from "../../src/domain/news/news.ts";
import { testData } from "../support/test-data.ts";
import { HELD_OUT, TUNED } from "./sentiment/company-news.ts";
import { countEvidence } from "./sentiment/count-evidence.ts";
import { type Row, readRows } from "./sentiment/rows.ts";
import { samplesOf } from "./sentiment/samples.ts";
import { type Tally, tally } from "./sentiment/tally.ts";
import { train } from "./sentiment/train.ts";

const FOLDS = 5;
const fileOf = (name: string) => new URL(`../../src/analytics/news/${name}.json`, import.meta.url);
const LABELS = ["positive", "neutral", "negative"] as const;

/** Fold of a headline: all rows of one headline are in the same fold. */
const foldOf = ({ headline }: Pick<Row, "headline">): number =>
  (Math.imul(headline, 0x9e3779b1) >>> 8) % FOLDS;

const mostLikely = (logOdds: LogOdds): NewsLabel => {
  const odds = probabilitiesOf(logOdds);
  return LABELS.toSorted((a, b) => odds[b] - odds[a])[0]!;
};

/**
 * Measures the headline classifier on two domains, for the model, the word list and both combined: cross-validated on
 * SEntFiN 1.0, headlines labelled for each company named in them (MIT licence), and with the shipped weights on
 * sentences of company news written for this bench. Trains on all of SEntFiN and reports whether the result equals the
 * shipped weights; writes them only with `--write`. Only term weights and class counts are derived from the data, none
 * for a name.
 */
export function run(): void {
  const path = testData("sentiment", "sentfin_train.csv");
  if (path === null) throw new Error("no sentiment/sentfin_train.csv under MARKET_SIGNAL_TEST_DATA");
  const rows = readRows(path);
  const samples = samplesOf(rows);
  const scores = new Map<string, Tally>();
  const add = (name: string, truth: NewsLabel, said: NewsLabel | null) => {
    const known = scores.get(name) ?? tally();
    scores.set(name, known);
    known.add(truth, said);
  };
  const addAll = (
    domains: readonly string[],
    { title, subjects, label }: Pick<Row, "title" | "subjects" | "label">,
    model: Model,
    counts: EvidenceCounts,
  ) => {
    const combined = headlineOdds(title, subjects, model, counts);
    const said = {
      model: mostLikely(combined.model),
      "word list": mostLikely(combined.lexicon),
      combined: LABELS.toSorted((a, b) => combined.odds[b] - combined.odds[a])[0]!,
      "combined with abstention": headlineSentiment(title, subjects, model, counts).label,
    };
    for (const domain of domains)
      for (const [method, found] of Object.entries(said)) add(`${domain}: ${method}`, label, found);
  };
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = unpackModel(train(samples.filter((_, i) => foldOf(rows[i]!) !== fold)));
    const counts = countEvidence(rows.filter((row) => foldOf(row) !== fold));
    for (const row of rows) {
      if (foldOf(row) !== fold) continue;
      const domains = [
        "headlines, every one named",
        ...(row.alone ? ["headlines, one named"] : []),
        ...(row.mixed ? ["headlines, labels differ"] : []),
      ];
      addAll(domains, row, model, counts);
    }
  }
  const model = train(samples);
  const counts = countEvidence(rows);
  const trained = unpackModel(model);
  for (const [domain, sentences] of [
    ["company news, tuned", TUNED],
    ["company news, held out", HELD_OUT],
  ] as const)
    for (const { label, title } of sentences)
      addAll([domain], { label, title, subjects: { own: [], others: [] } }, trained, counts);
  console.log(`${rows.length} judgements, ${FOLDS} folds by headline; ${HELD_OUT.length} held-out sentences`);
  for (const [name, score] of scores) {
    const { n, labelled, accuracy, macroF1 } = score.figures();
    console.log(
      `${name.padEnd(52)} n ${String(n).padStart(5)}  labelled ${labelled.toFixed(3)}  accuracy ${accuracy.toFixed(4)}  macro-F1 ${macroF1.toFixed(4)}`,
    );
  }
  const { step, bias, terms } = model;
  const text = `${JSON.stringify({ source: weights.source, step, bias, terms }, null, 2)}\n`;
  const same =
    (["step", "bias", "terms"] as const).every((part) => String(model[part]) === String(weights[part])) &&
    NET_STATEMENTS.every((net) => String(counts[net]) === String(shippedCounts.counts[net]));
  const write = process.argv.includes("--write");
  if (write) {
    writeFileSync(fileOf("weights"), text);
    writeFileSync(fileOf("lexicon-counts"), countsText(counts));
  }
  console.log(
    `${model.terms.split("|").length} terms, ${(Buffer.byteLength(text) / 1024).toFixed(0)} kB ${write ? "written" : same ? "that ship" : "that differ from those that ship: --write replaces them"}`,
  );
}

/** Formats class counts as a file with one line per net of statements. */
function countsText(counts: EvidenceCounts): string {
  const lines = NET_STATEMENTS.map((net) => `    "${net}": [${counts[net].join(", ")}]`);
  return `{\n  "source": ${JSON.stringify(shippedCounts.source)},\n  "counts": {\n${lines.join(",\n")}\n  }\n}\n`;
}
