import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import type { Provider } from "../../../src/domain/providers/provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { resourceOf } from "../../../src/market/failover/resource.ts";
import { movingClock } from "../../support/store.ts";

interface Answer {
  readonly said: string;
}
const MINUTE = 60_000;

/** Providers that answer by these, one after the other; what is no answer fails so. */
function stand(...ways: readonly ((question: string) => Answer | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-15T15:00:00.000Z"));
  const asked: string[] = [];
  const providers = ways.map((way, i) =>
    guard<Provider<string, Answer>>(
      () => ({
        name: `p${i}`,
        budget: { calls: 100, perMs: MINUTE, atOnce: 4 },
        call: async (question) => {
          asked.push(`p${i} ${question}`);
          const answer = way(question);
          if (answer instanceof ProviderFailure) throw answer;
          return answer;
        },
      }),
      { fetch, clock },
    ),
  );
  const resource = resourceOf<string, Answer>({
    providers,
    clock,
    keyOf: (question: string) => question,
    about: (question) => `news of ${question}`,
    freshMs: MINUTE,
    staleMs: 10 * MINUTE,
  });
  return { clock, asked, resource };
}
const says = (said: string) => () => ({ said });
const fails = (kind: "down" | "unknown_symbol" | "unsupported") => () => new ProviderFailure(kind, "so");

describe("a resource", () => {
  it("tells who answered and when, and asks nobody again while the answer is new", async () => {
    const { clock, asked, resource } = stand(says("one"));
    const told = await resource("AAPL");
    expect(told).toMatchObject({
      answer: { said: "one" },
      source: "p0",
      stale: false,
      fetchedAt: clock.now().getTime(),
    });
    clock.pass(MINUTE - 1);
    expect(await resource("AAPL")).toEqual(told);
    expect(asked).toEqual(["p0 AAPL"]);
    clock.pass(1);
    await resource("AAPL");
    expect(asked).toHaveLength(2);
  });

  it("falls back in order, and names who was tried", async () => {
    const { resource } = stand(fails("down"), says("two"));
    expect(await resource("AAPL")).toMatchObject({
      source: "p1",
      tried: [
        { provider: "p0", outcome: "down" },
        { provider: "p1", outcome: "answered" },
      ],
    });
  });

  it("tells an older answer only as stale, and none that is too old", async () => {
    let up = true;
    const { clock, resource } = stand(() => (up ? { said: "one" } : new ProviderFailure("down", "so")));
    await resource("AAPL");
    up = false;
    clock.pass(5 * MINUTE);
    expect(await resource("AAPL")).toMatchObject({ answer: { said: "one" }, stale: true });
    clock.pass(10 * MINUTE);
    await expect(resource("AAPL")).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No source answers for news of AAPL just now",
    });
  });

  it("is null of what nobody covers, and where nobody is connected: never an error, never an empty answer", async () => {
    expect(await stand(fails("unknown_symbol"), fails("unsupported")).resource("ZZZZ")).toBeNull();
    expect(await stand().resource("AAPL")).toBeNull();
  });

  it("asks once for many who ask at the same time", async () => {
    const { asked, resource } = stand(says("one"));
    const all = await Promise.all(Array.from({ length: 20 }, () => resource("AAPL")));
    expect(new Set(all.map((told) => told?.source))).toEqual(new Set(["p0"]));
    expect(asked).toHaveLength(1);
  });
});
