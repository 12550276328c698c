import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import { unavailable } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const on = (account = trader.account, over: Partial<Ports> = {}) => ({
  ports: { ...ports, ...over },
  principal: { ...trader, account },
  transport: "test",
});
const sync = (input: object = {}, over: Partial<Ports> = {}) =>
  invoke(syncPositions, input, on(undefined, over));
/** Brokers that do not respond for the connection. Default: for all connections. */
const silentFor = (connection?: string) =>
  ({
    ...ports.brokers,
    open: (of: Parameters<Ports["brokers"]["open"]>[0], credentials: never) => {
      if (connection !== undefined && of.connection !== connection)
        return ports.brokers.open(of, credentials);
      const fail = unavailable("The broker does not answer");
      return { account: fail, positions: fail };
    },
  }) as unknown as Ports["brokers"];

describe("sync_positions", () => {
  it("opens the built-in paper account if there is no other", async () => {
    expect(await invoke(syncPositions, {}, on("nobody"))).toMatchObject({
      synced: [{ broker: "paper", account: { equity: "100000" } }],
      positions: 0,
      errors: [],
    });
  });

  it("stores the positions and returns the account's equity", async () => {
    await invoke(executeTrade, { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "130" }, on());
    const { synced, positions } = await sync();
    expect(positions).toBe(1);
    expect(synced).toMatchObject([
      { connection_id: CONNECTION, broker: "paper", positions: 1, account: { equity: expect.any(String) } },
    ]);
    expect(Number(synced[0]?.account.cash)).toBeLessThan(100_000);
    const [kept] = await ports.positionRepository.listSynced(trader.account);
    expect(kept).toMatchObject({ connection: CONNECTION, positions: [{ symbol: "AAPL", quantity: "1" }] });
  });

  it("syncs the others if one connection does not respond, and keeps its stored rows", async () => {
    const credentials = { api_key: "second", api_secret: "secret" };
    const { connection } = await invoke(connectBroker, { broker: "paper", credentials }, on());
    const brokers = silentFor(CONNECTION);
    const answer = await sync({}, { brokers });
    expect(answer.synced.map((one) => one.connection_id)).toEqual([connection.connection_id]);
    expect(answer.errors).toMatchObject([
      { connection_id: CONNECTION, code: "UPSTREAM_UNAVAILABLE", message: "The broker does not answer" },
    ]);
    const kept = (await ports.positionRepository.listSynced(trader.account)).find(
      (one) => one.connection === CONNECTION,
    );
    expect(kept?.positions).toHaveLength(1);
    const shown = syncPositions.terminal!(answer, (_, text) => text);
    expect(shown).toContain(
      `${CONNECTION}  not synced: The broker does not answer; its stored positions are unchanged`,
    );
  });

  it("fails when no broker responds, or the requested one does not", async () => {
    for (const input of [{}, { connection_id: CONNECTION }])
      await expect(sync(input, { brokers: silentFor() })).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
      });
  });

  it("does not find a connection of another account", async () => {
    for (const [account, connection_id] of [
      ["two", CONNECTION],
      [trader.account, `cn_${"9".repeat(20)}`],
    ] as const)
      await expect(invoke(syncPositions, { connection_id }, on(account))).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
  });
});

toolContract(syncPositions, { ports });
