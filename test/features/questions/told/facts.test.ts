import { describe, expect, it } from "vitest";
import { toldEarnings } from "../../../../src/features/questions/told/facts.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

describe("the newest report in a sentence", () => {
  const told = (revenue: object) =>
    toldEarnings(
      readerOf({
        period: "Q3 2026",
        reportDate: "2026-01-04",
        signal: "MISS",
        dataSource: "fixture",
        eps: { actual: 2.29, estimate: 2.45 },
        revenue,
        fetchedAt: "2026-01-15T15:00:00.000Z",
      }),
      "XYZ",
      false,
    );

  it("has revenue beside EPS", () => {
    const { sentence, figures } = told({ actual: 293_967_000_000, estimate: 303_035_000_000 });
    expect(sentence).toContain(
      "its last report, for Q3 2026 on 2026-01-04, missed expectations: EPS was $2.29 against $2.45 expected, and revenue was $293,967 million against $303,035 million expected (fixture,",
    );
    expect(figures).toMatchObject({ revenue_millions: 293_967, revenue_estimate_millions: 303_035 });
  });

  it("says why there is no revenue", () => {
    expect(told({ actual: null, reason: "No filing of this quarter is known" }).sentence).toContain(
      "expected, and revenue was unknown: no filing of this quarter is known (fixture,",
    );
  });
});
