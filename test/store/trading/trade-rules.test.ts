import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import { tradeRules } from "../../../src/store/trading/trade-rules.ts";
import { testStore } from "../../support/store.ts";

const T0 = "2026-01-15T15:00:00.000Z";
const T1 = "2026-01-15T15:05:00.000Z";
const openRepository = async () => {
  const { db } = await testStore();
  return { db, ...tradeRules({ db, defaults: DEFAULT_LIMITS }) };
};

describe("the trade rules of accounts", () => {
  it("are the defaults except for limits that are set", async () => {
    const rules = await openRepository();
    expect(await rules.limits("ada")).toEqual({ limits: DEFAULT_LIMITS, set: {}, setAt: null });
    const set = { max_notional_usd: "500", symbols: ["AAPL"], max_quantity: null } as const;
    const stored = { ...DEFAULT_LIMITS, ...set };
    expect(await rules.setLimits("ada", { ...set, symbols: ["AAPL"] }, T0)).toEqual(stored);
    expect(await rules.limits("ada")).toEqual({ limits: stored, set, setAt: T0 });
    expect(await rules.limits("bob")).toEqual({ limits: DEFAULT_LIMITS, set: {}, setAt: null });
    expect(await rules.setLimits("ada", { hours: "any" }, T1)).toEqual({ ...stored, hours: "any" });
    expect(await rules.limits("ada")).toMatchObject({ setAt: T1 });
    expect(await rules.setLimits("ada", null, T1)).toEqual(DEFAULT_LIMITS);
    expect(await rules.limits("ada")).toEqual({ limits: DEFAULT_LIMITS, set: {}, setAt: null });
  });

  it("follow new defaults for limits that were never set", async () => {
    const { db, setLimits } = await openRepository();
    await setLimits("ada", { max_quantity: "7" }, T0);
    const later = tradeRules({ db, defaults: { ...DEFAULT_LIMITS, max_orders_a_minute: 3 } });
    expect((await later.limits("ada")).limits).toMatchObject({ max_quantity: "7", max_orders_a_minute: 3 });
  });

  it("reject invalid limits, and fail when stored limits cannot be read", async () => {
    const { db, limits, setLimits } = await openRepository();
    await expect(setLimits("ada", { max_notional_usd: "a lot" }, T0)).rejects.toThrow();
    expect((await limits("ada")).setAt).toBeNull();
    await setLimits("ada", { max_quantity: "7" }, T0);
    await db.updateTable("risk_limits").set({ limits: '{"max_quantity":' }).execute();
    await expect(limits("ada")).rejects.toMatchObject({ code: "INTERNAL" });
    await setLimits("ada", null, T1);
    expect((await limits("ada")).limits).toEqual(DEFAULT_LIMITS);
  });

  it("have one kill switch per account, released by default", async () => {
    const rules = await openRepository();
    expect(await rules.killSwitch("ada")).toEqual({ engaged: false, since: null, reason: null });
    await rules.setKillSwitch("ada", { engaged: true, since: T0, reason: "odd fills" });
    expect(await rules.killSwitch("ada")).toEqual({ engaged: true, since: T0, reason: "odd fills" });
    expect(await rules.killSwitch("bob")).toMatchObject({ engaged: false });
    await rules.setKillSwitch("ada", { engaged: false, since: T1, reason: null });
    expect(await rules.killSwitch("ada")).toEqual({ engaged: false, since: T1, reason: null });
  });
});
