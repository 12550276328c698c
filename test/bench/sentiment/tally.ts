import type { NewsLabel } from "../../../src/domain/news/news.ts";

const LABELS = ["positive", "neutral", "negative"] as const satisfies readonly NewsLabel[];

/** Counts true labels against classifications. */
export interface Tally {
  add(truth: NewsLabel, said: NewsLabel | null): void;
  /** Accuracy figures over classified headlines; `labelled` is their share of all. */
  figures(): {
    readonly n: number;
    readonly labelled: number;
    readonly accuracy: number;
    readonly macroF1: number;
  };
}

/** Returns an empty tally. A `null` classification is an abstention and counts neither for nor against. */
export function tally(): Tally {
  const counts = new Map<string, number>();
  let abstained = 0;
  const count = (truth: NewsLabel, said: NewsLabel) => counts.get(`${truth} ${said}`) ?? 0;
  const sum = (of: (label: NewsLabel) => number) => LABELS.reduce((all, label) => all + of(label), 0);
  return {
    add(truth, said) {
      if (said === null) abstained++;
      else counts.set(`${truth} ${said}`, count(truth, said) + 1);
    },
    figures() {
      const n = sum((truth) => sum((said) => count(truth, said)));
      const f1 = (label: NewsLabel) =>
        (2 * count(label, label)) / (sum((said) => count(label, said)) + sum((truth) => count(truth, label)));
      return {
        n: n + abstained,
        labelled: n / (n + abstained),
        accuracy: sum((label) => count(label, label)) / n,
        macroF1: sum(f1) / LABELS.length,
      };
    },
  };
}
