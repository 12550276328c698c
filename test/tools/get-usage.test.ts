import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { CountedCall, Usage, UsageFilter, UsageSum } from "../../src/domain/accounts/usage-port.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getUsage } from "../../tools/get-usage.ts";
import { countingMeters, member } from "../support/context.ts";
import { marketOf, quote } from "../support/market.ts";
import { toolSearchOf } from "../support/requests.ts";
import { toolContract } from "../support/tool-contract.ts";
import { testCli } from "../transports/cli/test-host.ts";

const toolSearch = toolSearchOf();

const day = (n: number, calls: number): UsageSum => ({
  name: `2026-01-${n}`,
  label: null,
  calls,
  failed: 1,
  characters: calls * 100,
});
const DAYS = [day(15, 3), day(14, 5), day(11, 2)];

/** Usage in memory that returns these sums, and records what is counted and read. */
function testUsage(sums: readonly UsageSum[] = DAYS) {
  const counted: CountedCall[] = [];
  const filters: UsageFilter[] = [];
  const usage: Usage = {
    count: (call) => void counted.push(call),
    async read(filter) {
      filters.push(filter);
      return sums;
    },
    accounts: async () => ["acme", "bob", "member"],
  };
  return { usage, counted, filters };
}

const { ports: market } = marketOf({ bars: {}, quotes: { NVDA: quote() } });
const KEY = "5a56af85-64d2-433e-8165-a6ddc60f95c6";
const admin = { ...member, scopes: ["read", "admin"] } as const;
const ROWS = DAYS.map(({ label, ...row }) => ({ ...row, key_id: label }));

describe("get_usage", () => {
  it("adds up the days of the caller's account", async () => {
    const { usage, filters } = testUsage();
    const call = { ports: { ...market, usage, toolSearch }, principal: member, transport: "test" };
    expect(await invoke(getUsage, {}, call)).toEqual({
      ok: true,
      from: "2025-12-17",
      to: "2026-01-15",
      calls: 10,
      failed: 3,
      characters: 1_000,
      by: "day",
      rows: ROWS,
    });
    expect(filters).toEqual([{ account: "member", since: "2025-12-17", by: "day" }]);
  });

  it("passes the filters on", async () => {
    const { usage, filters } = testUsage();
    const call = { ports: { ...market, usage, toolSearch }, principal: member, transport: "test" };
    const input = { by: "tool", days: 1, tool: "get_quote", key: KEY } as const;
    expect(await invoke(getUsage, input, call)).toMatchObject({
      from: "2026-01-15",
      calls: 10,
      rows: ROWS,
    });
    expect(filters).toEqual([
      { account: "member", since: "2026-01-15", by: "tool", tool: "get_quote", key: KEY },
    ]);
  });

  it("returns the usage of another account only with the admin scope", async () => {
    const { usage, filters } = testUsage();
    const input = { account: "acme" };
    const call = { ports: { ...market, usage, toolSearch }, transport: "test" };
    await expect(invoke(getUsage, input, { ...call, principal: member })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      data: { required_scope: "admin" },
    });
    expect(await invoke(getUsage, input, { ...call, principal: admin })).toMatchObject({ ok: true });
    expect(filters.map(({ account }) => account)).toEqual(["acme"]);
  });

  it("prints the sum, and one line for each row", async () => {
    const key = { ...day(15, 3), name: "k", label: "agent ...abcd" };
    const { usage } = testUsage([key, { ...day(15, 1), name: null }]);
    const call = { ports: { ...market, usage, toolSearch }, principal: member, transport: "test" };
    const answer = await invoke(getUsage, { by: "key" }, call);
    expect(getUsage.terminal!(answer, (_, text) => text).split("\n")).toEqual([
      "Usage, 2025-12-17 to 2026-01-15: 4 calls, 2 failed, 400 characters",
      "agent ...abcd  3 calls, 1 failed, 300 characters",
      "without a key  1 call, 1 failed, 100 characters",
    ]);
  });
});

describe("the account of get_usage", () => {
  const usageOf = (principal: Principal, input: { account: string }, sums: readonly UsageSum[] = []) =>
    invoke(getUsage, input, {
      ports: { ...market, usage: testUsage(sums).usage, toolSearch },
      principal,
      transport: "test",
    });
  const owner = { ...member, account: "owner", scopes: ["read", "write"] } as const;

  it("is any one for the owner at the server, but not for a key of the owner account", async () => {
    expect(await usageOf(owner, { account: "bob" })).toMatchObject({ calls: 0, rows: [] });
    await expect(usageOf({ ...owner, keyId: KEY }, { account: "bob" })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      command: "market-signal usage --account bob",
    });
  });

  it.each([["owner"], ["addr:"]])("%s is known without being stored", async (account) => {
    expect(await usageOf(admin, { account })).toMatchObject({ calls: 0 });
  });

  it("is refused with the nearest name when it does not exist", async () => {
    await expect(usageOf(admin, { account: "bobb" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "There is no account bobb",
      hint: "Did you mean bob?",
    });
  });
});

describe("the tool of get_usage", () => {
  it.each(["get_signal", "signal", "get-signal", "Get-Signal"])("%s is get_signal", async (tool) => {
    const { usage, filters } = testUsage([]);
    await invoke(
      getUsage,
      { tool },
      { ports: { ...market, usage, toolSearch }, principal: member, transport: "test" },
    );
    expect(filters).toMatchObject([{ tool: "get_signal" }]);
  });

  it("is refused with the nearest name when it does not exist and has no calls", async () => {
    const call = (sums: readonly UsageSum[]) => ({
      ports: { ...market, usage: testUsage(sums).usage, toolSearch },
      principal: member,
      transport: "test",
    });
    await expect(invoke(getUsage, { tool: "get_signl" }, call([]))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "There is no tool get_signl",
      hint: "Did you mean get_signal?",
    });
    expect(await invoke(getUsage, { tool: "get_former" }, call(DAYS))).toMatchObject({ calls: 10 });
  });

  it("is printed by its own name on the command line, also in the error", async () => {
    const { usage } = testUsage([{ ...day(15, 3), name: "get_quote" }]);
    const { run } = testCli({ tools: [getUsage, getQuote], ports: { usage, toolSearch } });
    expect((await run("usage", "--by", "tool")).out).toContain(
      "\nget_quote  3 calls, 1 failed, 300 characters\n",
    );
    const none = testCli({ tools: [getUsage, getQuote], ports: { usage: testUsage([]).usage, toolSearch } });
    expect(await none.run("usage", "--tool", "get_qote")).toMatchObject({
      code: 2,
      err: "INVALID_INPUT There is no tool get_qote\nDid you mean get_quote?\n",
    });
  });
});

describe("a call", () => {
  it.each([
    ["2026-02-14T15:00:00.000Z", true],
    ["2026-02-14T15:00:00.001Z", false],
    [null, false],
  ])("with a key that expires at %s says so: %s", async (expiresAt, isNoted) => {
    const { usage } = testUsage();
    const principal = { ...member, keyId: "k", expiresAt };
    const answer = await invoke(
      getUsage,
      {},
      { ports: { ...market, usage, toolSearch }, principal, transport: "test" },
    );
    const sentence = `This API key expires at ${expiresAt}; the owner of the server can replace it.`;
    expect((answer as { understood?: unknown }).understood).toEqual(isNoted ? [sentence] : undefined);
    expect(getUsage.terminal!(answer, (_, text) => text).endsWith(sentence)).toBe(isNoted);
  });

  it("is counted when it ends, with the length of its answer as JSON", async () => {
    const { usage, counted } = testUsage();
    const principal = { ...member, keyId: "k" };
    const call = { ports: { ...market, ...countingMeters(), usage }, principal, transport: "test" };
    const answer = await invoke(getQuote, { symbol: "NVDA" }, call);
    await expect(invoke(getQuote, { symbol: "" }, call)).rejects.toThrow();
    const counts = { account: "member", key: "k", tool: "get_quote" };
    expect(counted).toEqual([
      { ...counts, failed: false, characters: JSON.stringify(answer).length },
      { ...counts, failed: true, characters: 0 },
    ]);
  });

  it("within an agent is not counted", async () => {
    const { usage, counted } = testUsage();
    await invoke(
      getQuote,
      { symbol: "NVDA" },
      {
        ports: { ...market, usage, toolSearch },
        principal: member,
        transport: "test",
        nested: true,
      },
    );
    expect(counted).toEqual([]);
  });
});

toolContract(getUsage, { ports: { usage: testUsage().usage, toolSearch } });
