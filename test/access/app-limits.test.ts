import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMeters } from "../../src/access/meters.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { openRateLimits } from "../../src/store/accounts/windows.ts";
import { movingClock, openMemoryStore } from "../support/store.ts";

/** Daily calls of an account on the plan member. */
const ACCOUNT_CALLS = 100;
const app = (client: string, dailyCalls: number | null): Principal => ({
  account: "ada",
  plan: "member",
  scopes: ["read"],
  keyId: `app:${client}`,
  dailyCalls,
});

async function withMeters<T>(work: (meters: ReturnType<typeof createMeters>) => Promise<T>): Promise<T> {
  const store = await openMemoryStore();
  try {
    return await work(
      createMeters({
        windows: openRateLimits(store.counters, movingClock()),
        schedule: PLAN_SCHEDULES.A,
      }),
    );
  } finally {
    await store.close();
  }
}

describe("the daily limit of an app", () => {
  it("and that of its account hold for any calls at the same time, and each counts what the other admitted", async () => {
    const limit = fc.option(fc.integer({ min: 1, max: 150 }));
    const calls = fc.array(fc.constantFrom("one", "two"), { maxLength: 250 });
    await fc.assert(
      fc.asyncProperty(limit, limit, calls, (one, two, order) =>
        withMeters(async (meters) => {
          const callers = { one: app("one", one), two: app("two", two) };
          const results = await Promise.allSettled(order.map((name) => meters.countDaily(callers[name])));
          const admitted = (name: "one" | "two") =>
            results.filter(({ status }, i) => status === "fulfilled" && order[i] === name).length;
          const wanted = (name: "one" | "two", most: number | null) =>
            Math.min(order.filter((caller) => caller === name).length, most ?? Number.POSITIVE_INFINITY);
          const [byOne, byTwo] = [admitted("one"), admitted("two")];
          expect(byOne + byTwo).toBe(Math.min(ACCOUNT_CALLS, wanted("one", one) + wanted("two", two)));
          expect(byOne).toBeLessThanOrEqual(wanted("one", one));
          expect(byTwo).toBeLessThanOrEqual(wanted("two", two));
          const left = async (name: "one" | "two") =>
            Object.fromEntries(
              (await meters.usage(callers[name])).map((window) => [window.name, window.remaining]),
            );
          expect(await left("one")).toEqual({
            burst: 10,
            daily: ACCOUNT_CALLS - byOne - byTwo,
            ...(one !== null && { app: one - byOne }),
          });
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("is refused with the window, the retry time and who may raise it", async () => {
    await withMeters(async (meters) => {
      const caller = app("one", 1);
      await meters.countDaily(caller);
      await expect(meters.countDaily(caller)).rejects.toMatchObject({
        code: "RATE_LIMITED",
        message: "Limit reached: 1 calls of this app per day",
        hint: "Retry in 86400 s. A person of the account can raise the limit of the app on the page /account; an app cannot.",
        data: { window: "app", quota: 1, retry_after: 86_400 },
      });
    });
  });

  it("counts what the app called before it was set", async () => {
    await withMeters(async (meters) => {
      const unlimited = app("one", null);
      for (let i = 0; i < 3; i++) await meters.countDaily(unlimited);
      expect((await meters.usage(unlimited)).map(({ name }) => name)).toEqual(["burst", "daily"]);
      expect((await meters.usage(app("one", 5))).find(({ name }) => name === "app")).toMatchObject({
        quota: 5,
        remaining: 2,
      });
      await expect(meters.countDaily(app("one", 3))).rejects.toMatchObject({ code: "RATE_LIMITED" });
    });
  });

  it("is not charged by calls of the same app for another account", async () => {
    await withMeters(async (meters) => {
      await meters.countDaily(app("one", 1));
      await meters.countDaily({ ...app("one", 1), account: "bob" });
      await expect(meters.countDaily(app("one", 1))).rejects.toMatchObject({ code: "RATE_LIMITED" });
    });
  });
});
