import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMeters } from "../../src/access/meters.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { openRateLimits } from "../../src/store/accounts/windows.ts";
import { runChild } from "../support/child.ts";
import { movingClock, testStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const caller = (plan: Principal["plan"], account = "alice", terms?: string): Principal => ({
  account,
  plan,
  scopes: ["read"],
  ...(terms === undefined ? {} : { terms }),
});
async function metersOf(schedule: "A" | "B" = "A") {
  const clock = movingClock();
  const meters = createMeters({
    windows: openRateLimits((await testStore()).counters, clock),
    schedule: PLAN_SCHEDULES[schedule],
  });
  return { meters, clock };
}

async function admitted(calls: readonly Promise<void>[]): Promise<number> {
  return (await Promise.allSettled(calls)).filter(({ status }) => status === "fulfilled").length;
}
const times = (count: number, call: () => Promise<void>) => Array.from({ length: count }, call);

describe("the meters", () => {
  it("admit exactly the quota of concurrent calls", async () => {
    const { meters } = await metersOf();
    const member = caller("member");
    expect(await admitted(times(500, () => meters.countDaily(member)))).toBe(100);
    expect(await admitted(times(500, () => meters.countBurst(member)))).toBe(10);
  });

  it("admit exactly the quota over several processes", async () => {
    const dataDir = join(tempDir(), "data");
    const source = `
      import { createMeters } from "./src/access/meters.ts";
      import { PLAN_SCHEDULES } from "./src/access/plans.ts";
      import { openStore } from "./src/store/open-store.ts";
      import { openRateLimits } from "./src/store/accounts/windows.ts";
      const clock = { now: () => new Date() };
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, clock });
      const meters = createMeters({ windows: openRateLimits(store.counters, clock), schedule: PLAN_SCHEDULES.A });
      const caller = { account: "alice", plan: "member", scopes: ["read"] };
      const calls = await Promise.allSettled(Array.from({ length: 250 }, () => meters.countDaily(caller)));
      console.log(calls.filter(({ status }) => status === "fulfilled").length);
      await store.close();`;
    const [one, two] = (await Promise.all([runChild(source), runChild(source)])).map(Number);
    expect(one! + two!).toBe(100);
  });

  it("return the window, the retry time and the plan with a higher limit", async () => {
    const { meters, clock } = await metersOf();
    await admitted(times(10, () => meters.countBurst(caller("member"))));
    clock.pass(17_500);
    await expect(meters.countBurst(caller("member"))).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "Limit reached: 10 calls in 60 s",
      hint: 'Retry in 43 s. The "individual" plan allows 60 calls in 60 s.',
      data: { window: "burst", quota: 10, retry_after: 43 },
    });
    await admitted(times(100, () => meters.countDaily(caller("member"))));
    await expect(meters.countDaily(caller("member"))).rejects.toMatchObject({
      message: "Limit reached: 100 calls per day",
      hint: 'Retry in 86400 s. The "individual" plan allows 1000 calls per day.',
      data: { window: "daily", quota: 100, retry_after: 86_400 },
    });
  });

  it("return a retry time of at least one second", async () => {
    const { meters, clock } = await metersOf();
    await admitted(times(10, () => meters.countBurst(caller("member"))));
    clock.pass(59_999);
    await expect(meters.countBurst(caller("member"))).rejects.toMatchObject({ data: { retry_after: 1 } });
  });

  it("return usage without counting", async () => {
    const { meters, clock } = await metersOf();
    const pro = caller("pro");
    await meters.countBurst(pro);
    await meters.countBurst(pro);
    await meters.countDaily(pro);
    clock.pass(500);
    for (let look = 0; look < 2; look++)
      expect(await meters.usage(pro)).toEqual([
        { name: "burst", quota: 300, window: 60, remaining: 298, reset: 60 },
        { name: "daily", quota: 10_000, window: 86_400, remaining: 9_999, reset: 86_400 },
      ]);
  });

  it("count an account once over all its keys, and accounts separately", async () => {
    const { meters } = await metersOf();
    await admitted(times(9, () => meters.countBurst(caller("member"))));
    expect(await admitted(times(5, () => meters.countBurst({ ...caller("member"), scopes: [] })))).toBe(1);
    expect(await admitted(times(15, () => meters.countBurst(caller("member", "bob"))))).toBe(10);
    expect(await admitted(times(40, () => meters.countBurst(caller("open", "addr:203.0.113.7"))))).toBe(30);
  });

  it("apply a plan change at once and preserve usage", async () => {
    const { meters } = await metersOf();
    expect(await admitted(times(500, () => meters.countDaily(caller("member"))))).toBe(100);
    expect(await admitted(times(1_500, () => meters.countDaily(caller("individual"))))).toBe(900);
  });

  it("apply schedule B and named rows", async () => {
    const { meters } = await metersOf("B");
    expect(await admitted(times(800, () => meters.countBurst(caller("pro"))))).toBe(600);
    expect(await admitted(times(800, () => meters.countBurst(caller("pro", "bob", "Pro"))))).toBe(120);
  });

  it("count plain-language questions in a separate window if the plan has one", async () => {
    const { meters, clock } = await metersOf("B");
    const one = caller("individual");
    expect(await admitted(times(150, () => meters.countDaily(one, "assistant")))).toBe(100);
    clock.pass(3_600_000);
    await expect(meters.countDaily(one, "assistant")).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "Limit reached: 100 plain-language questions per day",
      hint: "Retry in 82800 s. Calls other than plain-language questions still work.",
      data: { window: "assistant", quota: 100, retry_after: 82_800 },
    });
    await meters.countDaily(one);
    expect(
      await admitted(times(350, () => meters.countDaily(caller("pro", "bob", "Pro"), "assistant"))),
    ).toBe(300);
  });

  it("do not charge one window for a call that the other rejects", async () => {
    const { meters } = await metersOf("B");
    const one = caller("individual");
    const left = async () =>
      Object.fromEntries((await meters.usage(one)).map(({ name, remaining }) => [name, remaining]));
    expect(await admitted(times(300, () => meters.countDaily(one, "assistant")))).toBe(100);
    expect(await left()).toEqual({ burst: 30, daily: 400, assistant: 0 });
    const two = caller("individual", "carol");
    await admitted(times(500, () => meters.countDaily(two)));
    await expect(meters.countDaily(two, "assistant")).rejects.toMatchObject({ data: { window: "daily" } });
    expect((await meters.usage(two)).at(-1)).toMatchObject({ name: "assistant", remaining: 100 });
  });

  it("count questions as calls if the plan has no window for them", async () => {
    for (const [schedule, plan] of [
      ["A", "individual"],
      ["B", "pro"],
    ] as const) {
      const { meters } = await metersOf(schedule);
      expect(await admitted(times(600, () => meters.countDaily(caller(plan), "assistant")))).toBe(600);
      expect((await meters.usage(caller(plan))).map(({ name }) => name)).toEqual(["burst", "daily"]);
    }
  });

  it("reject an address after 60 invalid keys in a minute", async () => {
    const { meters } = await metersOf();
    expect(await admitted(times(100, () => meters.countInvalidKey("203.0.113.7")))).toBe(60);
    await expect(meters.countInvalidKey("203.0.113.7")).rejects.toMatchObject({
      code: "RATE_LIMITED",
      data: { window: "burst", quota: 60, retry_after: expect.any(Number) },
    });
    await meters.countInvalidKey("203.0.113.8");
    expect(
      await admitted(
        ["1", "2"].flatMap((host) => times(40, () => meters.countInvalidKey(`2001:db8::${host}`))),
      ),
    ).toBe(60);
  });
});
