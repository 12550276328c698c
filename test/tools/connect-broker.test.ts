import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Ports } from "../../src/domain/ports.ts";
import type { Brokers } from "../../src/domain/trading/trading-port.ts";
import { resolveConnection } from "../../src/features/trading/resolve-connection.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { brokerMarket } from "../support/brokers.ts";
import { collectingLog, pro } from "../support/context.ts";
import { invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, writtenBy } = await brokerMarket();
const FUNDS = { equity: "100000", cash: "100000", buying_power: "100000" };
const CREDENTIALS = { api_key: "canary-key-51c2", api_secret: "canary-secret-9d0e" };
const as = (account: string): Principal => ({ ...pro, account });
const connect = (account: string, input: object = {}, over: Partial<Ports> = {}, principal = as(account)) =>
  invoke(
    connectBroker,
    { broker: "paper", credentials: CREDENTIALS, ...input },
    { ports: { ...ports, ...over }, principal, transport: "test" },
  );

describe("connect_broker", () => {
  it("stores the connection; neither the response nor the log contains the credentials", async () => {
    const { log, lines } = collectingLog();
    const answer = await connect("ada", {}, { log });
    expect(answer).toMatchObject({
      success: true,
      created: true,
      connection: {
        connection_id: expect.stringMatching(/^cn_[0-9a-f]{20}$/),
        broker: "paper",
        account_type: "paper",
        account_mask: expect.stringMatching(/^[0-9A-F]{4}$/),
        market: "test",
      },
      account: { ...FUNDS, notes: [expect.stringContaining("Not simulated: dividends")] },
      market: "sample",
    });
    expect(JSON.stringify([answer, lines])).not.toContain("canary");
    const kept = await ports.connections.find("ada", answer.connection.connection_id);
    expect(kept).toEqual({ connection: answer.connection, credentials: CREDENTIALS });
  });

  it("prints the account notes dimmed", async () => {
    const shown = connectBroker.terminal!(await connect("hal"), (color, text) => `<${color}>${text}`);
    expect(shown).toMatch(
      /\n {2}equity 100000 USD, cash 100000 USD, buying power 100000 USD\n<dim> {2}Not simulated: dividends .+\n/,
    );
  });

  it("returns the existing connection for a known key, and replaces its secret", async () => {
    const first = await connect("bob");
    const again = await connect("bob", { credentials: { ...CREDENTIALS, api_secret: "another" } });
    expect(again).toMatchObject({
      created: false,
      connection: { connection_id: first.connection.connection_id },
    });
    const other = await connect("bob", { credentials: { ...CREDENTIALS, api_key: "another" } });
    expect(other.created).toBe(true);
    expect(await ports.connections.list("bob")).toHaveLength(2);
    const kept = await ports.connections.find("bob", first.connection.connection_id);
    expect(kept?.credentials.api_secret).toBe("another");
  });

  it("stores nothing when the broker refuses the key or does not respond", async () => {
    for (const code of ["REFUSED", "UPSTREAM_UNAVAILABLE"] as const) {
      const account = () => Promise.reject(new ToolError(code, "The broker does not open the account"));
      const brokers = { open: () => ({ account }) } as unknown as Brokers;
      await expect(connect("cleo", {}, { brokers })).rejects.toMatchObject({ code });
    }
    expect(await ports.connections.list("cleo")).toMatchObject([{ connected_at: null }]);
  });

  it("stores nothing without an audit entry, and records the removal when storing fails", async () => {
    const full = () => Promise.reject(new ToolError("STORAGE_FULL", "Nothing can be stored now"));
    const refused = { code: "STORAGE_FULL" };
    await expect(connect("fay", {}, { audit: { write: full } })).rejects.toMatchObject(refused);
    expect(await ports.connections.list("fay")).toMatchObject([{ connected_at: null }]);
    expect(await writtenBy("fay")).toEqual([]);
    const connections = { ...ports.connections, add: full };
    await expect(connect("fay", {}, { connections })).rejects.toMatchObject(refused);
    const written = await writtenBy("fay");
    expect(written.map(([event]) => event)).toEqual(["connection_added", "connection_removed"]);
    expect(written[1]![1]).toMatchObject({ reason: "it could not be stored" });
  });

  it("creates one connection for concurrent calls with the same key", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => connect("gus")));
    expect(new Set(answers.map((each) => each.connection.connection_id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await ports.connections.list("gus")).toHaveLength(1);
    const written = await writtenBy("gus");
    // a call that finds the connection of an earlier one records that it replaced it
    const added = written.filter(([event, { replaced }]) => event === "connection_added" && !replaced);
    const removed = written.filter(([event]) => event === "connection_removed");
    expect(added.length - removed.length).toBe(1);
    expect(JSON.stringify(written)).not.toContain("canary");
  });

  it("requires the live scope and a market with live prices for a live account", async () => {
    const live = { broker: "alpaca", account_type: "live" };
    await expect(connect("dan", live)).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    const trader: Principal = { ...as("dan"), scopes: [...pro.scopes, "trade:live"] };
    await expect(connect("dan", live, {}, trader)).rejects.toMatchObject({ code: "REFUSED" });
    const market = { mode: "live", id: "test" } as const;
    await expect(connect("dan", live, { market }, trader)).rejects.toMatchObject({ code: "REFUSED" });
    expect(await ports.connections.list("dan")).toMatchObject([{ connected_at: null }]);
  });

  it("rejects a live account on the embedded exchange before it checks the scope", async () => {
    await expect(connect("dan", { broker: "paper", account_type: "live" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: 'Set account_type to "paper".',
    });
  });

  it("opens a paper account with the fill model of the backtest, notes it, and never changes it", async () => {
    const first = await connect("ivy", { fills: "next_open" });
    const said = expect.stringMatching(/^Fills match the backtest: .*; real markets differ$/);
    expect(first.account.notes[0]).toEqual(said);
    // without `fills` the account keeps its model
    const again = await connect("ivy");
    expect([again.created, again.account.notes[0]]).toEqual([false, said]);
    await expect(connect("ivy", { fills: "market" })).rejects.toMatchObject({
      code: "REFUSED",
      hint: 'Leave credentials out to open a new account with the fill model "market".',
    });
    const other = await connect("ivy", { credentials: { ...CREDENTIALS, api_key: "another" } });
    expect(other.account.notes).toEqual([expect.stringContaining("Not simulated: dividends")]);
    await expect(connect("ivy", { broker: "alpaca", fills: "market" })).rejects.toMatchObject(
      invalidField("/fills"),
    );
  });

  it("opens a new paper account without credentials, with an equity of choice", async () => {
    const [first, second] = [
      await connect("jan"),
      await connect("jan", { credentials: undefined, equity: 25000 }),
    ];
    expect([first.account.equity, second.account.equity]).toEqual(["100000", "25000"]);
    expect(second.created).toBe(true);
    expect(second.connection.connection_id).not.toBe(first.connection.connection_id);
    await expect(connect("jan", { equity: "5000" })).rejects.toMatchObject({
      code: "REFUSED",
      hint: "Leave credentials out to open a new paper account with that equity.",
    });
    for (const equity of ["99", "1e5", "100.001", "-5", 2_000_000_000])
      await expect(connect("jan", { credentials: undefined, equity })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    await expect(connect("jan", { broker: "alpaca", credentials: undefined })).rejects.toMatchObject({
      code: "REFUSED",
      message: /^Alpaca trades at real prices, but this server uses /,
    });
  });

  it("takes the place of the built-in account unless that has orders", async () => {
    const [builtIn] = await ports.connections.list("kim");
    await resolveConnection(ports, "kim", builtIn!.connection_id);
    const { connection } = await connect("kim", { credentials: undefined, equity: 25000 });
    expect(await ports.connections.list("kim")).toMatchObject([{ connection_id: connection.connection_id }]);
    expect((await resolveConnection(ports, "kim", undefined)).connection.connection_id).toBe(
      connection.connection_id,
    );
  });

  it("rejects a broker that this market does not offer, and invalid credentials", async () => {
    await expect(connect("eve", { broker: "alpaca" })).rejects.toMatchObject({ code: "REFUSED" });
    const blank = { api_key: " ", api_secret: "canary-2" };
    for (const credentials of [{}, { api_key: "canary-1" }, blank])
      await expect(connect("eve", { credentials })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.not.stringContaining("canary"),
      });
    expect(await ports.connections.list("eve")).toMatchObject([{ connected_at: null }]);
  });
});

toolContract(connectBroker, { ports });
