import { describe, expect, it } from "vitest";
import { requestLimits } from "../../tools/request-limits.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const as = (account: string, keyId = "key_1") =>
  callerOf(requestLimits, ports, { ...trader, account, keyId });

describe("request_limits", () => {
  it("changes nothing, and returns the page on which a person decides, once for the same change", async () => {
    const call = as("one");
    const asked = await call({ changes: ["max_notional_usd=50000", "hours=any"], reason: "Larger orders" });
    expect(asked).toMatchObject({
      state: "waiting",
      changes: [
        { limit: "max_notional_usd", current: "25000", proposed: "50000" },
        { limit: "hours", current: "regular", proposed: "any" },
      ],
      confirmation: {
        id: asked.request_id,
        url: `http://localhost:8787/confirm/${asked.request_id}`,
      },
    });
    const again = await call({ changes: ["hours=any", "max_notional_usd=50000"] });
    const other = await as("one", "key_2")({ changes: ["hours=any", "max_notional_usd=50000"] });
    expect([again.request_id === asked.request_id, other.request_id === asked.request_id]).toEqual([
      true,
      false,
    ]);
    expect((await ports.tradeRules.limits("one")).set).toEqual({});
  });

  it("returns the decision, and asks again once the limits were changed back", async () => {
    const call = as("two");
    const input = { changes: ["max_orders_a_minute=3"] };
    const { request_id } = await call(input);
    await ports.confirmations.confirm("two", request_id, "Ada");
    expect(await call(input)).toMatchObject({ request_id, state: "confirmed", confirmation: null });
    expect((await ports.tradeRules.limits("two")).set).toEqual({ max_orders_a_minute: 3 });
    await ports.tradeRules.setLimits("two", null, "2026-01-15T15:00:00.000Z");
    const second = await call(input);
    expect([second.state, second.request_id === request_id]).toEqual(["waiting", false]);
    await ports.confirmations.refuse("two", second.request_id, "Ada");
    expect(await call(input)).toMatchObject({ request_id: second.request_id, state: "refused" });
    await expect(ports.confirmations.confirm("two", second.request_id, "Ada")).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("refuses a change to the values that the limits have, and stores none", async () => {
    await expect(as("seven")({ changes: ["max_notional_usd=25000", "hours=regular"] })).rejects.toMatchObject(
      {
        code: "REFUSED",
        message: "The limits already have these values: max_notional_usd is 25000, hours is regular",
      },
    );
    expect(await ports.confirmations.waiting("seven")).toEqual([]);
  });

  it("is decided once, and only for its account", async () => {
    const { request_id: id } = await as("three")({ changes: ["max_quantity=5"] });
    await expect(ports.confirmations.confirm("four", id, "Eve")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const decisions = await Promise.allSettled([
      ports.confirmations.confirm("three", id, "Ada"),
      ports.confirmations.refuse("three", id, "Ben"),
      ports.confirmations.confirm("three", id, "Ada"),
    ]);
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("lets ten requests of a key wait and fifty of an account, listed by id within a millisecond", async () => {
    const ask = (key: number, n: number) => as("five", `key_${key}`)({ changes: [`max_quantity=${n}`] });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => ask(1, n + 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    const hint =
      "Let a person of this account confirm or refuse some of them at http://localhost:8787/confirm, or wait until 2026-01-16T15:00:00.000Z, when the first one expires.";
    await expect(ask(1, 20)).rejects.toMatchObject({
      code: "REFUSED",
      message: "10 requests of this key or app wait for a person already",
      hint,
      data: { limit: 10, until: "2026-01-16T15:00:00.000Z" },
    });
    const { confirmations } = ports;
    const proposal = (n: number) =>
      ({ kind: "limits", change: { max_quantity: String(n) }, from: {}, reason: null }) as const;
    for (let n = 1; n <= 40; n++)
      await confirmations.request("five", proposal(n), `key_${2 + Math.floor((n - 1) / 10)}`);
    const waiting = await confirmations.waiting("five");
    const ids = waiting.map(({ id }) => id);
    expect([ids.length, ids]).toEqual([50, ids.toSorted()]);
    await expect(confirmations.request("five", proposal(1), "key_6")).rejects.toMatchObject({
      message: "50 requests of this account wait for a person already",
      hint,
    });
    await confirmations.refuse("five", ids[0]!, "Ada");
    expect(await confirmations.request("five", proposal(1), "key_6")).toMatchObject({ decision: null });
  });

  it("does not count requests that can no longer be confirmed, because the limits have changed", async () => {
    const ask = (n: number) => as("seven")({ changes: [`max_quantity=${n}`] });
    const ids = [];
    for (let n = 1; n <= 10; n++) ids.push((await ask(n)).request_id);
    await expect(ask(11)).rejects.toMatchObject({ code: "REFUSED" });
    const other = await as("seven")({ changes: ["hours=any"] }).catch(({ code }) => code);
    expect(other).toBe("REFUSED");
    await ports.confirmations.confirm("seven", ids[0]!, "Ada");
    await expect(ports.confirmations.confirm("seven", ids[1]!, "Ada")).rejects.toMatchObject({
      message: "The limits have changed since this was requested: max_quantity was 10000 and is 1",
    });
    const { request_id } = await ask(2);
    expect((await ports.confirmations.waiting("seven")).map(({ id }) => id)).toEqual([request_id]);
    expect(ids).not.toContain(request_id);
    await ports.confirmations.confirm("seven", request_id, "Ada");
    expect((await ports.tradeRules.limits("seven")).set).toEqual({ max_quantity: "2" });
  });

  it("refuses a limit that does not exist, reads an object of limits as its changes, and says how a change is written", async () => {
    const call = as("six");
    await expect(call({ changes: ["max_loss=1"] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const expected = [
      { limit: "max_notional_usd", proposed: "20000" },
      { limit: "max_quantity", proposed: null },
    ];
    const { changes } = await call({ changes: { max_notional_usd: 20000, max_quantity: null } });
    expect(changes).toMatchObject(expected);
    const listed = await call({ changes: [{ max_notional_usd: "20000" }, "max_quantity=none"] });
    expect(listed.changes).toMatchObject(expected);
    for (const wrong of [{ limit: { max_notional_usd: 20000 } }, [{ max_notional_usd: [20000] }]])
      await expect(call({ changes: wrong })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("must be text such as max_notional_usd=20000"),
      });
    await expect(call({ changes: { limit: "max_notional_usd", value: 20000 } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

toolContract(requestLimits, { ports });
