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

/** Providers that respond with these in order; a ProviderFailure is thrown. */
function setup(...ways: readonly ((question: string) => Answer | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-15T15:00:00.000Z"));
  const calls: string[] = [];
  const providers = ways.map((way, i) =>
    guard<Provider<string, Answer>>(
      () => ({
        name: `p${i}`,
        budget: { calls: 100, perMs: MINUTE, atOnce: 4 },
        call: async (question) => {
          calls.push(`p${i} ${question}`);
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
    uncoveredMs: MINUTE,
  });
  return { clock, calls, resource };
}
const says = (said: string) => () => ({ said });
const fails = (kind: "down" | "unknown_symbol" | "unsupported") => () => new ProviderFailure(kind, "so");

describe("resourceOf", () => {
  it("returns provider and time, and the cached answer while it is fresh", async () => {
    const { clock, calls, resource } = setup(says("one"));
    const answer = await resource("AAPL");
    expect(answer).toMatchObject({
      answer: { said: "one" },
      source: "p0",
      stale: false,
      fetchedAt: clock.now().getTime(),
    });
    clock.pass(MINUTE - 1);
    expect(await resource("AAPL")).toEqual(answer);
    expect(calls).toEqual(["p0 AAPL"]);
    clock.pass(1);
    await resource("AAPL");
    expect(calls).toHaveLength(2);
  });

  it("falls back in order and lists the attempts", async () => {
    const { resource } = setup(fails("down"), says("two"));
    expect(await resource("AAPL")).toMatchObject({
      source: "p1",
      tried: [
        { provider: "p0", outcome: "down" },
        { provider: "p1", outcome: "answered" },
      ],
    });
  });

  it("returns an older answer only as stale, and none that is too old", async () => {
    let up = true;
    const { clock, resource } = setup(() => (up ? { said: "one" } : new ProviderFailure("down", "so")));
    await resource("AAPL");
    up = false;
    clock.pass(5 * MINUTE);
    expect(await resource("AAPL")).toMatchObject({ answer: { said: "one" }, stale: true });
    clock.pass(10 * MINUTE);
    await expect(resource("AAPL")).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider answered for news of AAPL",
    });
  });

  it("returns null if no provider covers the request or none is connected", async () => {
    expect(await setup(fails("unknown_symbol"), fails("unsupported")).resource("ZZZZ")).toBeNull();
    expect(await setup().resource("AAPL")).toBeNull();
  });

  it("does not repeat an uncovered request for a while", async () => {
    let isCovered = false;
    const { clock, calls, resource } = setup(() =>
      isCovered ? { said: "one" } : new ProviderFailure("unknown_symbol", "so"),
    );
    expect([await resource("LINK"), await resource("LINK")]).toEqual([null, null]);
    expect(calls).toHaveLength(1);
    isCovered = true;
    clock.pass(MINUTE);
    expect(await resource("LINK")).toMatchObject({ answer: { said: "one" } });
    expect(await resource("LINK")).not.toBeNull();
  });

  it("repeats a failed request at once", async () => {
    const { calls, resource } = setup(fails("down"));
    for (const _ of [1, 2])
      await expect(resource("BAD")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(calls).toHaveLength(4);
  });

  it("makes one call for concurrent requests", async () => {
    const { calls, resource } = setup(says("one"));
    const all = await Promise.all(Array.from({ length: 20 }, () => resource("AAPL")));
    expect(new Set(all.map((answer) => answer?.source))).toEqual(new Set(["p0"]));
    expect(calls).toHaveLength(1);
  });
});
