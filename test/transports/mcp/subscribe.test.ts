import { describe, expect, it } from "vitest";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { connectionToolsOf } from "../../../src/transports/mcp/connection-tools.ts";
import {
  canSubscribe,
  createSubscriptions,
  MAX_SUBSCRIPTIONS,
} from "../../../src/transports/mcp/subscribe.ts";
import { changesTool, recordingChanges, stateTool } from "../../support/changes.ts";
import { countingMeters, member, pro, testPorts } from "../../support/context.ts";
import { directoryOf } from "../../support/market.ts";

const symbols = directoryOf(["AAPL", "MSFT", "BTC-USD"]);

/** Subscriptions of one connection and its notifications. */
function connection(
  tools: Parameters<typeof createRegistry>[0] = { tellState: stateTool, notified: changesTool() },
) {
  const noticed = recordingChanges();
  const { meters, debits } = countingMeters({ burst: 1e6 });
  const ports = testPorts({ symbols, meters, changes: noticed.changes });
  const registry = createRegistry(tools, ports);
  const deps = { registry, ports, tools: connectionToolsOf(registry)({}) };
  const subscribed = createSubscriptions(deps);
  const notified: string[] = [];
  subscribed.setSender(
    async ({ uri, _meta }) => void notified.push(`${uri} ${_meta["market-signal/change_id"]}`),
  );
  return { ...noticed, ...subscribed, deps, notified, debits };
}

describe("a subscription", () => {
  it("is notified once per change with the URI as the client wrote it", async () => {
    const { add, notice, notified, followed, debits } = connection();
    await add(["signal://aapl/1d", "signal://AAPL/1d", "signal://btc-usd/4h"], pro);
    await add(["signal://AAPL/1d"], pro);
    expect([...followed]).toEqual([
      ["AAPL 1d", 2],
      ["BTC-USD 4h", 1],
    ]);
    for (const [symbol, timeframe] of [
      ["AAPL", "1d"],
      ["AAPL", "4h"],
      ["MSFT", "1d"],
      ["BTC-USD", "4h"],
    ] as const)
      notice(symbol, timeframe);
    expect(notified).toEqual(["signal://aapl/1d sc_1", "signal://AAPL/1d sc_1", "signal://btc-usd/4h sc_4"]);
    expect(debits, "counted when its request arrived").toEqual({ burst: 0, day: 0 });
  });

  it("can be removed, and cleared", async () => {
    const { add, remove, clear: end, count, notice, notified, followed, listeners } = connection();
    await add(["signal://AAPL/1d", "signal://MSFT/1d"], pro);
    remove(["signal://AAPL/1d", "signal://AAPL/5m"]);
    notice("AAPL");
    expect([count(), notified, [...followed.keys()]]).toEqual([1, [], ["MSFT 1d"]]);
    end();
    expect([count(), followed.size, listeners.size]).toEqual([0, 0, 0]);
    await add(["signal://AAPL/1d"], pro);
    notice("AAPL");
    expect(notified).toEqual(["signal://AAPL/1d sc_2"]);
  });

  it("drops repeated notifications of a slow client beyond the limit", async () => {
    const { add, setSender: tellBy, notice } = connection();
    const sent: string[] = [];
    const gates: (() => void)[] = [];
    await add(["signal://AAPL/1d", "signal://MSFT/1d"], pro);
    tellBy(({ uri }) => {
      sent.push(uri);
      return new Promise((resolve) => gates.push(resolve));
    });
    for (let i = 0; i < 1_500; i++) notice("AAPL");
    expect(sent).toHaveLength(1_000);
    notice("MSFT");
    expect(sent.at(-1)).toBe("signal://MSFT/1d");
    for (const open of gates) open();
    await Promise.resolve();
    notice("AAPL");
    expect(sent).toHaveLength(1_002);
  });

  it("ignores failed notifications", async () => {
    const { add, setSender: tellBy, notice, count } = connection();
    await add(["signal://AAPL/1d"], pro);
    tellBy(() => Promise.reject(new Error("gone")));
    notice("AAPL");
    await Promise.resolve();
    expect(count()).toBe(1);
  });
});

describe("a rejected subscription", () => {
  it.each([
    ["quota://me", "INVALID_INPUT", "signal://{symbol}/{timeframe}, such as signal://AAPL/1d"],
    ["market-signal://tools/read_state", "INVALID_INPUT", "signal://AAPL/1d"],
    ["signal://AAPL/2d", "INVALID_INPUT", "Fields"],
    ["signal://ZZZZQ/1d", "UNKNOWN_SYMBOL", ""],
    ["signal://BTC/1d", "INVALID_INPUT", "signal://BTC-USD/1d or signal://BTC.US/1d"],
  ])("of %s has a hint and adds nothing", async (uri, code, hint) => {
    const { add, count, followed, debits } = connection();
    const refused = add(["signal://AAPL/1d", uri], pro);
    await expect(refused).rejects.toMatchObject({ code });
    const { hint: said = "" } = await refused.catch((error) => error);
    expect(said).toContain(hint);
    expect([count(), followed.size, debits.burst]).toEqual([0, 0, 0]);
  });

  it.each([
    ["PLAN_REQUIRED", member],
    ["SCOPE_REQUIRED", { ...pro, scopes: [] }],
  ])("fails with %s when the tool rejects the caller, at the start or later", async (code, who) => {
    const { add, recheck, count } = connection();
    await expect(add(["signal://AAPL/1d"], who)).rejects.toMatchObject({ code });
    expect(count()).toBe(0);
    await add(["signal://AAPL/1d"], pro);
    recheck(pro);
    expect(() => recheck(who)).toThrow(expect.objectContaining({ code }));
  });

  it("fails with RATE_LIMITED beyond a hundred subscriptions", async () => {
    const { add, remove, count } = connection();
    const uris = ["5m", "15m", "30m", "1h", "4h", "1d"].flatMap((timeframe) =>
      Array.from(
        { length: 18 },
        (_, i) =>
          `signal://${"$".repeat(i % 2)}${["AAPL", "aapl", "Aapl", "aAPL", "AaPL", "AAPl", "aaPL", "aAPl", "AApL"][i >> 1]}/${timeframe}`,
      ),
    );
    expect(new Set(uris).size).toBe(108);
    await add(uris.slice(0, 100), pro);
    await expect(add([uris[100]!], pro)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      data: { limit: MAX_SUBSCRIPTIONS },
    });
    remove([uris[0]!]);
    await add([uris[100]!], pro);
    expect(count()).toBe(100);
  });

  it("fails with NOT_CONNECTED without the changes port", async () => {
    const { deps } = connection();
    expect(canSubscribe(deps)).toBe(true);
    const { changes: _, ...withoutChanges } = deps.ports;
    expect(canSubscribe({ ...deps, ports: withoutChanges })).toBe(false);
    await expect(
      createSubscriptions({ ...deps, ports: withoutChanges }).add(["signal://AAPL/1d"], pro),
    ).rejects.toMatchObject({
      code: "NOT_CONNECTED",
    });
    expect(canSubscribe(connection({ notified: changesTool() }).deps)).toBe(false);
  });
});
