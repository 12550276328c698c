import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import { AT, testTrading } from "./test-trading.ts";

describe("limits show", () => {
  it("shows each limit with its meaning, the kill switch and whether live trading is on", async () => {
    const { run, open } = await testTrading();
    const { code, out, err } = await run("limits", "show");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.split("\n");
    expect(lines[0]).toBe("Account owner");
    expect(lines[1]).toBe("max_notional_usd             25000     One order opens at most 25000 USD");
    expect(lines).toContain("symbols                      any       Positions in any symbol are opened");
    expect(lines.slice(-3)).toEqual([
      "Kill switch released.",
      "Live trading is off; TRADING_LIVE=1 switches it on. Paper trading needs no setting.",
      "",
    ]);
    expect(open()).toBe(0);
  });

  it("prints JSON with --json", async () => {
    const { run, rules } = await testTrading();
    await rules.setLimits("acme", { hours: "any" }, AT);
    expect(JSON.parse((await run("limits", "show", "--account", "acme", "--json")).out)).toEqual({
      account: "acme",
      limits: { ...DEFAULT_LIMITS, hours: "any" },
      set: ["hours"],
      set_at: AT,
      kill_switch: { engaged: false, since: null, reason: null },
      live_trading: false,
    });
  });
});

describe("limits set", () => {
  it("changes the given limits, prints old and new values, and writes an audit entry", async () => {
    const { run, rules, entries } = await testTrading();
    const result = await run("limits", "set", "max_notional_usd=5000", "symbols=aapl, MSFT", "hours=any");
    expect(result).toEqual({
      code: 0,
      err: "",
      out: [
        "max_notional_usd: 25000 -> 5000. One order opens at most 5000 USD.",
        "symbols: none -> AAPL, MSFT. Only positions in these symbols are opened: AAPL, MSFT.",
        "hours: regular -> any. Orders are sent at any hour.",
        "",
      ].join("\n"),
    });
    const change = { max_notional_usd: "5000", symbols: ["AAPL", "MSFT"], hours: "any" };
    expect((await rules.limits("owner")).set).toEqual(change);
    expect((await rules.limits("acme")).set).toEqual({});
    expect(entries).toEqual([{ account: "owner", event: "limits", about: { by: "owner", change } }]);
    expect((await run("limits", "show")).out).toContain("(set)");
  });

  it("switches a limit off with `none`, for the given account", async () => {
    const { run, rules } = await testTrading();
    const { code } = await run(
      ...["limits", "set", "max_daily_loss_pct=none", "max_orders_a_minute=3", "--account", "acme"],
    );
    expect(code).toBe(0);
    expect((await rules.limits("acme")).set).toEqual({ max_daily_loss_pct: null, max_orders_a_minute: 3 });
  });

  it.each([
    ["max_notional=1", /"max_notional=1" is not a limit\nUse name=value. The limits: max_notional_usd, /],
    ["5000", /is not a limit/],
    [
      "max_notional_usd=5,000",
      /max_notional_usd cannot be "5,000"\nIt must be a number above 0 such as 5000, or none/,
    ],
    ["max_notional_usd=-1", /number above 0/],
    ["max_notional_usd=0", /number above 0/],
    ["max_notional_usd=", /number above 0/],
    ["max_daily_loss_pct=101", /at most 100/],
    ["max_orders_a_minute=1.5", /whole number/],
    ["max_orders_a_minute=0", /whole number/],
    ["cooldown_minutes=none", /cooldown_stop_outs=none/],
    ["hours=night", /It must be regular or any/],
    ["symbols=AAPL,NOPE", /this market has no "NOPE"/],
    ["symbols=", /this market has no ""/],
    ["__proto__=1", /is not a limit/],
  ])("rejects %s with the required form and changes nothing", async (term, why) => {
    const { run, rules, entries, open } = await testTrading();
    expect(await run("limits", "set", "max_quantity=5", term)).toMatchObject({ code: 2, out: "", err: why });
    expect((await rules.limits("owner")).setAt).toBeNull();
    expect(entries).toEqual([]);
    expect(open()).toBe(0);
  });

  it("rejects a limit given twice and an unknown account", async () => {
    const { run } = await testTrading();
    expect((await run("limits", "set", "hours=any", "hours=regular")).err).toContain("hours is set twice");
    expect(await run("limits", "set", "hours=any", "--account", "bob")).toMatchObject({
      code: 1,
      err: 'NOT_FOUND There is no account "bob" on this server\nAccounts: owner, acme.\n',
    });
  });

  it("changes nothing if the audit entry cannot be written", async () => {
    const { run, rules, disk } = await testTrading();
    disk.full = true;
    expect((await run("limits", "set", "hours=any")).code).toBe(1);
    expect((await rules.limits("owner")).setAt).toBeNull();
  });
});

describe("limits reset, engage and release", () => {
  it("restores the defaults", async () => {
    const { run, rules, entries } = await testTrading();
    await rules.setLimits("owner", { hours: "any" }, AT);
    expect(await run("limits", "reset")).toMatchObject({
      code: 0,
      out: "The default limits apply to owner again.\n",
    });
    expect(await rules.limits("owner")).toEqual({ limits: DEFAULT_LIMITS, set: {}, setAt: null });
    expect(entries).toMatchObject([{ event: "limits", about: { change: "defaults" } }]);
  });

  it("engages the kill switch and releases it again", async () => {
    const { run, rules, entries } = await testTrading();
    const line = `Kill switch engaged since ${AT}: odd fills. No live order is sent.\n`;
    const engage = ["limits", "engage", "--account", "acme", "--reason", "odd fills"];
    expect(await run(...engage)).toMatchObject({ code: 0, out: line });
    expect(await run(...engage)).toMatchObject({ code: 0, out: line });
    expect((await run("limits", "show", "--account", "acme")).out).toContain(line);
    expect(await run("limits", "release", "--account", "acme")).toMatchObject({
      code: 0,
      out: `Kill switch released at ${AT}.\n`,
    });
    expect(await rules.killSwitch("acme")).toMatchObject({ engaged: false });
    expect(entries.map(({ account, event, about }) => [account, event, about.engaged])).toEqual([
      ["acme", "kill_switch", true],
      ["acme", "kill_switch", false],
    ]);
  });

  it("engages without an audit entry, logging an error, but releases only with one", async () => {
    const { run, rules, disk, lines } = await testTrading();
    disk.full = true;
    expect((await run("limits", "engage")).code).toBe(0);
    expect(lines).toMatchObject([
      { level: "error", event: "audit", fields: { account: "owner", audited: "kill_switch", engaged: true } },
    ]);
    expect(await rules.killSwitch("owner")).toMatchObject({ engaged: true });
    expect((await run("limits", "release")).code).toBe(1);
    expect(await rules.killSwitch("owner")).toMatchObject({ engaged: true });
  });
});
