import { expect, it } from "vitest";
import { QUOTED_TEXT_NOTICE } from "../../../src/domain/outside-text.ts";
import { formatInterpretation } from "../../../src/features/requests/lines.ts";
import { OMITTED_ANSWERS } from "../../../src/features/requests/results/result-length.ts";

it("prints the answer, third-party text in quotes and the notes, but not the one on omitted answers", () => {
  const headlines = [{ text: "A “good” year", source: "Wire", untrusted: true }];
  const result = { symbol: "XYZ", skill: "get_news", figures: { headlines }, error: null, data: null };
  const shown = formatInterpretation(
    {
      answer: "XYZ  WAIT  grade C\n  price 5",
      notes: ["Bars are old", `${OMITTED_ANSWERS} get_news`],
      results: [result],
    },
    (style, text) => (style === "yellow" ? `<${text}>` : text),
  );
  expect(shown).toBe(
    `XYZ  <WAIT>  grade C\n  price 5\n  “A "good" year” “Wire”\n${QUOTED_TEXT_NOTICE}\n<Bars are old>`,
  );
});
