import { writeFileSync } from "node:fs";
import { classify, unpackModel } from "../../src/analytics/news/classify.ts";
import { headlineSentiment } from "../../src/analytics/news/headline-sentiment.ts";
import { lexiconScore } from "../../src/analytics/news/lexicon.ts";
import { tokensOf } from "../../src/analytics/news/tokens.ts";
import weights from "../../src/analytics/news/weights.json" with { type: "json" };
import type { NewsLabel } from "../../src/domain/news/news.ts";
import { testData } from "../support/test-data.ts";
import { type Row, readRows } from "./sentiment/rows.ts";
import { samplesOf } from "./sentiment/samples.ts";
import { type Tally, tally } from "./sentiment/tally.ts";
import { train } from "./sentiment/train.ts";

const FOLDS = 5;
const FILE = new URL("../../src/analytics/news/weights.json", import.meta.url);

/** Fold of a headline: all rows of one headline are in the same fold. */
const foldOf = ({ headline }: Row): number => (Math.imul(headline, 0x9e3779b1) >>> 8) % FOLDS;

/**
 * Cross-validates the headline classifier, trains it on all data and reports whether the result equals the shipped
 * weights; writes them only with `--write`. The data are SEntFiN 1.0, headlines labelled for each company named in them
 * (MIT licence); only term weights are derived from it, none for a name.
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
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = unpackModel(train(samples.filter((_, i) => foldOf(rows[i]!) !== fold)));
    rows.forEach((row, i) => {
      if (foldOf(row) !== fold) return;
      const { label, title, subjects, alone, mixed } = row;
      const odds = classify(model, samples[i]!.terms);
      const said = (["positive", "neutral", "negative"] as const).toSorted((a, b) => odds[b] - odds[a])[0]!;
      add("model, every one named", label, said);
      if (alone) add("model, one named", label, said);
      if (mixed) add("model, several named and judged differently", label, said);
      const judged = headlineSentiment(title, subjects, model).label;
      add("model with abstention, every one named", label, judged);
      if (alone) add("model with abstention, one named", label, judged);
      const lexicon = lexiconScore(tokensOf(title, subjects));
      if (alone)
        add(
          "word list, one named",
          label,
          lexicon === null || lexicon === 0 ? "neutral" : lexicon > 0 ? "positive" : "negative",
        );
    });
  }
  console.log(`${rows.length} judgements, ${FOLDS} folds by headline`);
  for (const [name, score] of [...scores].sort()) {
    const { n, labelled, accuracy, macroF1 } = score.figures();
    console.log(
      `${name.padEnd(46)} n ${String(n).padStart(5)}  labelled ${labelled.toFixed(3)}  accuracy ${accuracy.toFixed(4)}  macro-F1 ${macroF1.toFixed(4)}`,
    );
  }
  const model = train(samples);
  const { step, bias, terms } = model;
  const text = `${JSON.stringify({ source: weights.source, step, bias, terms }, null, 2)}\n`;
  const same = (["step", "bias", "terms"] as const).every(
    (part) => String(model[part]) === String(weights[part]),
  );
  const write = process.argv.includes("--write");
  if (write) writeFileSync(FILE, text);
  console.log(
    `${model.terms.split("|").length} terms, ${(Buffer.byteLength(text) / 1024).toFixed(0)} kB ${write ? "written" : same ? "that ship" : "that differ from those that ship: --write replaces them"}`,
  );
}
