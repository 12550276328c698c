import { expect, it } from "vitest";
import { withNegativeCache } from "../../../src/market/failover/negative-cache.ts";
import type { Resource } from "../../../src/market/failover/resource.ts";
import { movingClock } from "../../support/store.ts";

const answer = { answer: {}, source: "result", fetchedAt: 0, stale: false, tried: [] };

it("does not repeat an uncovered request for a while, and caches neither answers nor failures", async () => {
  const clock = movingClock(new Date("2026-01-15T15:00:00Z"));
  const calls: string[] = [];
  const answers: Record<string, typeof answer | null | Error> = {
    LINK: null,
    AAPL: answer,
    BAD: new Error(),
  };
  const resource: Resource<string, object> = async (symbol) => {
    calls.push(symbol);
    const result = answers[symbol]!;
    if (result instanceof Error) throw result;
    return result;
  };
  const remembering = withNegativeCache(resource, { keyOf: (symbol) => symbol, clock, forMs: 1_000 });
  for (let time = 0; time < 2; time++) {
    expect(await remembering("LINK")).toBeNull();
    expect(await remembering("AAPL")).toBe(answer);
    await expect(remembering("BAD")).rejects.toBeInstanceOf(Error);
  }
  expect(calls.filter((symbol) => symbol === "LINK")).toHaveLength(1);
  expect(calls).toHaveLength(5);
  clock.pass(1_000);
  answers.LINK = answer;
  expect([await remembering("LINK"), await remembering("LINK")]).toEqual([answer, answer]);
});
