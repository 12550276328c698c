import { describe, expect, it } from "vitest";
import type { PutCallDay } from "../../../../src/domain/options-flow/options.ts";
import type { PutCallProviderAnswer } from "../../../../src/domain/options-flow/provider.ts";
import type { PutCallRepository } from "../../../../src/domain/options-flow/put-call-repository-port.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { livePutCalls } from "../../../../src/features/options-flow/live/put-calls.ts";
import { respondingProvider } from "../../../support/providers.ts";
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

/** Stores days in memory. */
function repositoryOf() {
  const stored = new Map<string, PutCallDay | null>();
  const repository: PutCallRepository = {
    days: async ({ until, limit }) =>
      [...stored.values()]
        .flatMap((day) => (day === null || day.at > until ? [] : [{ ...day, source: "cboe" }]))
        .sort((a, b) => a.at - b.at)
        .slice(-limit),
    knownDates: async (dates) => new Set(dates.filter((date) => stored.has(date))),
    save: async (day, saved) => void stored.set(day, saved),
  };
  return { repository, stored };
}

/** Ratios of a provider that responds by date, at an hour of Thursday 2026-01-15 (UTC); null for no provider. */
function liveRatios(way: ((date: string) => PutCallProviderAnswer | ProviderFailure) | null, time = "23:00") {
  const clock = movingClock(new Date(`2026-01-15T${time}:00.000Z`));
  const requests: string[] = [];
  const { repository, stored } = repositoryOf();
  const provider = respondingProvider("cboe", clock, ({ date }: { readonly date: string }) => {
    requests.push(date);
    return way!(date);
  });
  const providers = way === null ? [] : [provider];
  const live = livePutCalls({ providers, repository, clock, missing });
  const days = () => live.days({ until: clock.now().getTime(), limit: 252 });
  return { clock, requests, stored, live, days };
}

describe("live put/call ratios", () => {
  it("request the three newest sessions, once each, and return what is stored", async () => {
    const { requests, days } = liveRatios(() => ratios);
    expect(await days()).toMatchObject({
      source: "cboe",
      stale: false,
      days: [{ day: "2026-01-13", total: 0.9 }, { day: "2026-01-14" }, { day: "2026-01-15" }],
    });
    await days();
    expect(requests).toEqual(["2026-01-13", "2026-01-14", "2026-01-15"]);
  });

  it("are known when they were read, at the latest six hours after the close", async () => {
    const { stored, days } = liveRatios(() => ratios);
    await days();
    expect(stored.get("2026-01-15")!.at).toBe(Date.parse("2026-01-15T23:00:00Z"));
    expect(stored.get("2026-01-14")!.at).toBe(Date.parse("2026-01-15T03:00:00Z"));
  });

  it("request no session that ended less than an hour ago, and no day without one", async () => {
    const { requests, days } = liveRatios(() => ratios, "21:59");
    await days();
    expect(requests).toEqual(["2026-01-12", "2026-01-13", "2026-01-14"]);
    const monday = liveRatios(() => ratios);
    monday.clock.pass(4 * 24 * HOUR); // Martin Luther King's day
    await monday.days();
    expect(monday.requests).toEqual(["2026-01-14", "2026-01-15", "2026-01-16"]);
  });

  it("request an unpublished day again until it is a week old", async () => {
    let published = false;
    const { clock, requests, stored, days } = liveRatios((date) =>
      date === "2026-01-15" && !published ? { published: false } : ratios,
    );
    await days();
    expect(stored.has("2026-01-15")).toBe(false);
    clock.pass(HOUR);
    published = true;
    await days();
    expect(requests.filter((date) => date === "2026-01-15")).toHaveLength(2);
    expect(stored.get("2026-01-15")).not.toBeNull();
  });

  it("are stale if the newest is unavailable, and an outage if none is stored", async () => {
    let up = true;
    const { clock, days } = liveRatios(() => (up ? ratios : new ProviderFailure("down", "so")));
    await days();
    up = false;
    clock.pass(24 * HOUR);
    expect(await days()).toMatchObject({ stale: true, days: { length: 3 } });
    await expect(liveRatios(() => new ProviderFailure("down", "so")).days()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await liveRatios(null).days()).toBe(missing);
  });

  it("include how much of the year is known while it is fetched", async () => {
    const { requests, live, days } = liveRatios(() => ratios);
    const first = await days();
    await live.backfill(new AbortController().signal);
    expect(first).toMatchObject({ fetching: { known: 3, of: requests.length } });
    expect(await days()).not.toHaveProperty("fetching");
  });

  it("are fetched for a year back, and unpublished days are not requested again", async () => {
    const { requests, stored, live } = liveRatios((date) =>
      date === "2025-11-28" ? { published: false } : ratios,
    );
    expect(await live.backfill(new AbortController().signal)).toBe(requests.length - 1);
    expect(requests[0]).toBe("2026-01-15");
    expect(requests.length).toBeGreaterThan(250);
    expect(requests.every((date) => stored.has(date))).toBe(true);
    expect(stored.get("2025-11-28")).toBeNull();
    expect(await live.backfill(new AbortController().signal)).toBe(0);
    expect(await live.backfill(AbortSignal.abort())).toBe(0);
  });
});
