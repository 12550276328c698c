import { describe, expect, it } from "vitest";
import { createAdmission, inMessageSlot, NETWORK_LIMITS } from "../../src/access/admission.ts";
import { createRunningCalls } from "../../src/access/running-calls.ts";
import { countingMeters, pro } from "../support/context.ts";

/** Number of arrivals that are admitted, and the first refusal. */
async function admittedOf(times: number, admit: () => Promise<unknown>) {
  let admitted = 0;
  let refusal: unknown = null;
  for (let i = 0; i < times; i++)
    await admit().then(
      () => admitted++,
      (cause: unknown) => {
        refusal ??= cause;
      },
    );
  return { admitted, refusal };
}

describe("an arriving message", () => {
  it("charges the burst window of its account once, and each message of a batch", async () => {
    const { meters, debits } = countingMeters();
    const admit = createAdmission(meters);
    expect(await admit({ from: pro })).toEqual({ account: "pro" });
    await admit({ from: pro, messages: 10 });
    expect(debits).toEqual({ burst: 11, day: 0 });
    const { admitted, refusal } = await admittedOf(60, () => admit({ from: pro }));
    expect([admitted, refusal]).toEqual([49, expect.objectContaining({ code: "RATE_LIMITED" })]);
  });

  it.each(["probe", "page"] as const)(
    "without an account charges the %s window of its network",
    async (kind) => {
      const { meters, debits } = countingMeters();
      const admit = createAdmission(meters);
      const { quota } = NETWORK_LIMITS[kind];
      const { admitted, refusal } = await admittedOf(quota + 1, () =>
        admit({ address: "2001:db8::1", kind }),
      );
      expect(admitted).toBe(quota);
      expect(refusal).toMatchObject({
        code: "RATE_LIMITED",
        message: `Too many requests from this address: at most ${quota} in 60 s`,
        hint: expect.stringMatching(/^Retry in \d+ s\./),
        data: { window: "burst", quota, retry_after: expect.any(Number) },
      });
      await expect(admit({ address: "2001:db8::2", kind }), "same network").rejects.toThrow();
      expect(await admit({ address: "2001:db9::1", kind })).toEqual({ account: "2001:db9:0:0::/64" });
      expect(await admit({ address: "2001:db8::1", kind: kind === "page" ? "probe" : "page" })).toEqual({
        account: "2001:db8:0:0::/64",
      });
      expect(debits).toEqual({ burst: 0, day: 0 });
    },
  );
});

describe("the slot of a message", () => {
  it("is free again after its work, whether that succeeds or not", async () => {
    const start = createRunningCalls({ running: 1, waiting: 0, waitMs: 10 });
    const meters = { startCall: () => start("a") };
    expect(await inMessageSlot(meters, pro, () => 7)).toBe(7);
    await expect(inMessageSlot(meters, pro, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(typeof start("a")).toBe("function");
  });
});
