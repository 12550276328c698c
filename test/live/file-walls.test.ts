import { describe, expect, it } from "vitest";
import type { PutCallDay } from "../../src/domain/options-flow/options.ts";
import type { PutCallRepository } from "../../src/domain/options-flow/put-call-repository-port.ts";
import type { Guardable } from "../../src/domain/providers/provider.ts";
import { liveOffExchange } from "../../src/features/off-exchange/live/off-exchange.ts";
import { livePutCalls } from "../../src/features/options-flow/live/put-calls.ts";
import type { Guarded } from "../../src/market/failover/guard.ts";
import { cboePutCalls } from "../../src/providers/cboe/put-calls.ts";
import { finraDaily } from "../../src/providers/finra/daily.ts";
import type { ProviderSetup } from "../../src/providers/shared/http-client.ts";
import { cboeVendor } from "../replay/cboe.ts";
import { finraVendor } from "../replay/finra.ts";
import { createWorld } from "../replay/shared-world.ts";
import { fetchFrom, type Reply, type Vendor } from "../replay/vendor.ts";
import { fixed } from "../support/fixed-world.ts";
import { movingClock } from "../support/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Thursday, 19:00 in New York. */
const NOW = Date.parse("2026-01-16T00:00:00Z");
const MISSING = { unavailable: "not_connected", reason: "none is on" } as const;

/** Refusals of every file, the last of them as if no file existed. */
const WALLS: readonly Reply[] = [
  { status: 403, headers: { "content-type": "text/html" }, body: "<html>Access denied</html>" },
  { status: 403, headers: { "content-type": "application/json" }, body: '{"message":"Forbidden"}' },
  { status: 403, body: "" },
  {
    status: 403,
    headers: { "content-type": "application/xml" },
    body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>',
  },
];

/** A provider behind a wall that can be removed, over its replayed vendor; without limits and breaker. */
function behindWall<S extends Guardable>(wall: Reply, vendor: Vendor, build: (setup: ProviderSetup) => S) {
  const clock = movingClock(new Date(NOW));
  const world = createWorld({ now: () => NOW });
  const vendorFetch = fetchFrom(vendor, world);
  let isOpen = false;
  const provider = build({
    fetch: async (input, init) =>
      isOpen
        ? vendorFetch(input, init)
        : new Response(wall.body, { status: wall.status, ...(wall.headers && { headers: wall.headers }) }),
  });
  const guarded: Guarded<S> = {
    provider,
    unavailableReason: () => null,
    call: (work, signal) => work(signal),
    state: () => ({
      latencyMs: null,
      calledAt: null,
      answeredAt: null,
      failedAt: null,
      failure: null,
      left: 1,
      waitMs: 0,
      breaker: "closed",
      skewMs: null,
    }),
  };
  const remove = () => {
    isOpen = true;
    clock.pass(HOUR);
  };
  return { clock, world, provider: guarded, remove };
}

describe.each(WALLS)("behind a wall ($status $body)", (wall) => {
  it("no day of put/call ratios is stored as missing, and every day is found once it is gone", async () => {
    const { clock, world, provider, remove } = behindWall(wall, cboeVendor, cboePutCalls);
    const stored = new Map<string, PutCallDay | null>();
    const repository: PutCallRepository = {
      days: async () => [],
      knownDates: async (dates) => new Set(dates.filter((date) => stored.has(date))),
      save: async (day, saved) => void stored.set(day, saved),
    };
    const live = livePutCalls({ providers: [provider], repository, clock, missing: MISSING });
    const { signal } = new AbortController();
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(live.backfill(signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
      clock.pass(HOUR);
    }
    expect(stored.size).toBe(0);
    remove();
    await live.backfill(signal);
    expect(stored.size).toBeGreaterThan(240);
    for (const [date, day] of stored)
      expect(day?.total?.toFixed(2)).toBe(world.putCalls(date)!.total!.toFixed(2));
  });

  it("no day of off-exchange volume is stored as missing, and every day is found once it is gone", async () => {
    const { clock, provider, remove } = behindWall(wall, finraVendor, finraDaily);
    const providers = { daily: [provider], weekly: [], prices: [] };
    const ports = liveOffExchange({
      ...providers,
      clock,
      missing: { days: null, weeks: null, byPrice: null },
    });
    const range = { from: NOW - 30 * DAY, until: NOW };
    await expect(ports.days(fixed("AAPL"), range)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    remove();
    const answer = (await ports.days(fixed("AAPL"), range))!;
    expect(answer).toMatchObject({ gap: null, rows: { length: 20 } });
  });
});
