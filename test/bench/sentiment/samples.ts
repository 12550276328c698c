import { termsOf, tokensOf } from "../../../src/analytics/news/tokens.ts";
import { nameless } from "./names.ts";
import type { Row } from "./rows.ts";
import type { Sample } from "./train.ts";

/** Training samples: the terms of each headline, without names, with its label. */
export function samplesOf(rows: readonly Row[]): readonly Sample[] {
  const free = nameless(rows.map(({ title }) => title));
  return rows.map(({ title, subjects, label }) => ({
    terms: free(termsOf(tokensOf(title, subjects))),
    label,
  }));
}
