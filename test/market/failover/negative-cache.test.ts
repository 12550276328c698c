import { expect, it } from "vitest";
import { withNegativeCache } from "../../../src/market/failover/negative-cache.ts";
import type { Resource } from "../../../src/market/failover/resource.ts";
import { movingClock } from "../../support/store.ts";

const answer = { answer: {}, source: "one", fetchedAt: 0, stale: false, tried: [] };

it("asks nobody again for a while about what nobody covered, and remembers no answer and no failure", async () => {
  const clock = movingClock(new Date("2026-01-15T15:00:00Z"));
  const asked: string[] = [];
  const told: Record<string, typeof answer | null | Error> = { LINK: null, AAPL: answer, BAD: new Error() };
  const resource: Resource<string, object> = async (symbol) => {
    asked.push(symbol);
    const one = told[symbol]!;
    if (one instanceof Error) throw one;
    return one;
  };
  const remembering = withNegativeCache(resource, { keyOf: (symbol) => symbol, clock, forMs: 1_000 });
  for (let time = 0; time < 2; time++) {
    expect(await remembering("LINK")).toBeNull();
    expect(await remembering("AAPL")).toBe(answer);
    await expect(remembering("BAD")).rejects.toBeInstanceOf(Error);
  }
  expect(asked.filter((symbol) => symbol === "LINK")).toHaveLength(1);
  expect(asked).toHaveLength(5);
  clock.pass(1_000);
  told.LINK = answer;
  expect([await remembering("LINK"), await remembering("LINK")]).toEqual([answer, answer]);
});
