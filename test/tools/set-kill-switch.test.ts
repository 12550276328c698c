import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/domain/audit/audit-events.ts";
import { setKillSwitch } from "../../tools/set-kill-switch.ts";
import { collectingLog } from "../support/context.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { tradeMarket, trader } from "../support/trades.ts";

const { ports, clock } = await tradeMarket();
const acts: [string, AuditEvent, object][] = [];
const audit = {
  write: async (account: string, event: AuditEvent, about: object) => void acts.push([account, event, about]),
};
const full = { write: () => Promise.reject(new Error("disk full")) };
const call = (input: object, over = {}, otherPorts = {}) =>
  callerOf(setKillSwitch, { ...ports, audit }, { ...trader, account: "one", ...over })(input, otherPorts);
const admin = { scopes: [...trader.scopes, "admin"] };

describe("set_kill_switch", () => {
  it("is engaged once by any key that can trade, and released only with the admin scope", async () => {
    acts.length = 0;
    const since = clock.now().toISOString();
    const first = await call({ engaged: true, reason: "odd\u0007fills" });
    expect(first).toMatchObject({
      changed: true,
      kill_switch: { engaged: true, since, reason: "odd fills" },
      hint: /cancel_order/,
    });
    clock.pass(1_000);
    expect(await call({ engaged: true, reason: "again" })).toEqual({ ...first, changed: false });
    await expect(call({ engaged: false })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      hint: 'The owner of the server releases it, or creates a key with the scopes "trade:paper" and "admin".',
      command: "market-signal limits release --account one",
    });
    expect(await ports.tradeRules.killSwitch("one")).toMatchObject({ engaged: true });
    expect(await ports.tradeRules.killSwitch("two")).toMatchObject({ engaged: false });
    const released = await call({ engaged: false }, admin);
    expect(released).toMatchObject({ changed: true, kill_switch: { engaged: false, reason: null } });
    expect(await call({ engaged: false }, admin)).toMatchObject({
      changed: false,
      hint: /^Nothing was changed: the kill switch of this key's account, one, was not engaged\. .* a key of that account/,
    });
    expect(acts).toEqual([
      ["one", "kill_switch", { engaged: true, reason: "odd fills" }],
      ["one", "kill_switch", { engaged: false, reason: null }],
    ]);
  });

  it("is engaged even when the audit log fails, but not released", async () => {
    const { log, lines } = collectingLog();
    expect(await call({ engaged: true }, { account: "three" }, { audit: full, log })).toMatchObject({
      changed: true,
    });
    expect(lines.filter(({ event }) => event === "audit")).toMatchObject([
      { level: "error", fields: { account: "three", audited: "kill_switch" } },
    ]);
    await expect(
      call({ engaged: false }, { ...admin, account: "three" }, { audit: full }),
    ).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await ports.tradeRules.killSwitch("three")).toMatchObject({ engaged: true });
  });

  it("requires a trade scope", async () => {
    await expect(call({ engaged: true }, { scopes: ["read", "write"] })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
    });
    await expect(call({ engaged: false }, { scopes: ["read", "admin"] })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      hint: 'Use a key with "trade:paper" and "admin".',
      command: "market-signal keys create --account one --scopes trade:paper,admin",
    });
  });
});

toolContract(setKillSwitch, { ports });
