import { describe, expect, it } from "vitest";
import type { PutCallDay } from "../../../../src/domain/options-flow/options.ts";
import type { PutCallProvider, PutCallProviderAnswer } from "../../../../src/domain/options-flow/provider.ts";
import type { PutCallRepository } from "../../../../src/domain/options-flow/put-call-repository-port.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { livePutCalls } from "../../../../src/features/options-flow/live/put-calls.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { movingClock } from "../../../support/store.ts";

const HOUR = 3_600_000;
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const ratios = {
  published: true,
  total: 0.9,
  index: 1,
  etp: 1,
  equity: 0.6,
  callVolume: 1,
  putVolume: 1,
} as const;

/** Days kept in memory. */
function bookOf() {
  const kept = new Map<string, PutCallDay | null>();
  const book: PutCallRepository = {
    days: async ({ until, limit }) =>
      [...kept.values()]
        .flatMap((day) => (day === null || day.at > until ? [] : [{ ...day, source: "cboe" }]))
        .sort((a, b) => a.at - b.at)
        .slice(-limit),
    knownDates: async (dates) => new Set(dates.filter((date) => kept.has(date))),
    save: async (day, told) => void kept.set(day, told),
  };
  return { book, kept };
}

/** Ratios over a source that answers so by date, at an hour of Thursday 2026-01-15 (UTC); null for no source. */
function stand(way: ((date: string) => PutCallProviderAnswer | ProviderFailure) | null, time = "23:00") {
  const clock = movingClock(new Date(`2026-01-15T${time}:00.000Z`));
  const asked: string[] = [];
  const { book, kept } = bookOf();
  const provider: PutCallProvider = {
    name: "cboe",
    budget: { calls: 1_000, perMs: 60_000, atOnce: 1 },
    async call({ date }) {
      asked.push(date);
      const answer = way!(date);
      if (answer instanceof ProviderFailure) throw answer;
      return answer;
    },
  };
  const providers = way === null ? [] : [guard(() => provider, { fetch, clock })];
  const live = livePutCalls({ providers, book, clock, missing });
  const days = () => live.days({ until: clock.now().getTime(), limit: 252 });
  return { clock, asked, kept, live, days };
}

describe("live put/call ratios", () => {
  it("ask for the three newest sessions, once each, and tell what is kept", async () => {
    const { asked, days } = stand(() => ratios);
    expect(await days()).toMatchObject({
      source: "cboe",
      stale: false,
      days: [{ day: "2026-01-13", total: 0.9 }, { day: "2026-01-14" }, { day: "2026-01-15" }],
    });
    await days();
    expect(asked).toEqual(["2026-01-13", "2026-01-14", "2026-01-15"]);
  });

  it("know a day when it was read, or six hours after its close at the latest", async () => {
    const { kept, days } = stand(() => ratios);
    await days();
    expect(kept.get("2026-01-15")!.at).toBe(Date.parse("2026-01-15T23:00:00Z"));
    expect(kept.get("2026-01-14")!.at).toBe(Date.parse("2026-01-15T03:00:00Z"));
  });

  it("do not ask for a session that ended less than an hour ago, nor on days without one", async () => {
    const { asked, days } = stand(() => ratios, "21:59");
    await days();
    expect(asked).toEqual(["2026-01-12", "2026-01-13", "2026-01-14"]);
    const monday = stand(() => ratios);
    monday.clock.pass(4 * 24 * HOUR); // Martin Luther King's day
    await monday.days();
    expect(monday.asked).toEqual(["2026-01-14", "2026-01-15", "2026-01-16"]);
  });

  it("ask again for a day that is not published, until it is a week old", async () => {
    let published = false;
    const { clock, asked, kept, days } = stand((date) =>
      date === "2026-01-15" && !published ? { published: false } : ratios,
    );
    await days();
    expect(kept.has("2026-01-15")).toBe(false);
    clock.pass(HOUR);
    published = true;
    await days();
    expect(asked.filter((date) => date === "2026-01-15")).toHaveLength(2);
    expect(kept.get("2026-01-15")).not.toBeNull();
  });

  it("are told as stale where the newest cannot be had, and an outage where none is kept", async () => {
    let up = true;
    const { clock, days } = stand(() => (up ? ratios : new ProviderFailure("down", "so")));
    await days();
    up = false;
    clock.pass(24 * HOUR);
    expect(await days()).toMatchObject({ stale: true, days: { length: 3 } });
    await expect(stand(() => new ProviderFailure("down", "so")).days()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await stand(null).days()).toBe(missing);
  });

  it("say how much of the year is known while it is being fetched", async () => {
    const { asked, live, days } = stand(() => ratios);
    const first = await days();
    await live.backfill(new AbortController().signal);
    expect(first).toMatchObject({ fetching: { known: 3, of: asked.length } });
    expect(await days()).not.toHaveProperty("fetching");
  });

  it("are fetched for a year back, and those that never come are asked for no more", async () => {
    const { asked, kept, live } = stand((date) => (date === "2025-11-28" ? { published: false } : ratios));
    expect(await live.backfill(new AbortController().signal)).toBe(asked.length - 1);
    expect(asked[0]).toBe("2026-01-15");
    expect(asked.length).toBeGreaterThan(250);
    expect(asked.every((date) => kept.has(date))).toBe(true);
    expect(kept.get("2025-11-28")).toBeNull();
    expect(await live.backfill(new AbortController().signal)).toBe(0);
    expect(await live.backfill(AbortSignal.abort())).toBe(0);
  });
});
