import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import { AT, tradingDesk } from "./trading-desk.ts";

describe("limits show", () => {
  it("tells each limit with what it means, the kill switch and whether live trading is on", async () => {
    const { run, open } = await tradingDesk();
    const { code, out, err } = await run("limits", "show");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.split("\n");
    expect(lines[0]).toBe("Account owner");
    expect(lines[1]).toBe("max_notional_usd       25000     One order opens 25000 USD at the most");
    expect(lines).toContain("symbols                any       Any symbol is opened");
    expect(lines.slice(-3)).toEqual([
      "Kill switch released.",
      "Live trading is off: TRADING_LIVE=1 switches it on. Paper is traded without it.",
      "",
    ]);
    expect(open()).toBe(0);
  });

  it("answers a program in JSON", async () => {
    const { run, rules } = await tradingDesk();
    await rules.setLimits("desk", { hours: "any" }, AT);
    expect(JSON.parse((await run("limits", "show", "--account", "desk", "--json")).out)).toEqual({
      account: "desk",
      limits: { ...DEFAULT_LIMITS, hours: "any" },
      set: ["hours"],
      set_at: AT,
      kill_switch: { engaged: false, since: null, reason: null },
      live_trading: false,
    });
  });
});

describe("limits set", () => {
  it("changes what is named, says from what to what, and writes it down first", async () => {
    const { run, rules, acts } = await tradingDesk();
    const said = await run("limits", "set", "max_notional_usd=5000", "symbols=aapl, MSFT", "hours=any");
    expect(said).toEqual({
      code: 0,
      err: "",
      out: [
        "max_notional_usd: 25000 -> 5000. One order opens 5000 USD at the most.",
        "symbols: none -> AAPL, MSFT. Only these are opened: AAPL, MSFT.",
        "hours: regular -> any. Orders are sent at any hour.",
        "",
      ].join("\n"),
    });
    const change = { max_notional_usd: "5000", symbols: ["AAPL", "MSFT"], hours: "any" };
    expect((await rules.limits("owner")).set).toEqual(change);
    expect((await rules.limits("desk")).set).toEqual({});
    expect(acts).toEqual([{ account: "owner", event: "limits", about: { by: "owner", change } }]);
    expect((await run("limits", "show")).out).toContain("(set)");
  });

  it("switches a limit off by none, for the account that is named", async () => {
    const { run, rules } = await tradingDesk();
    const { code } = await run(
      ...["limits", "set", "max_daily_loss_pct=none", "max_orders_a_minute=3", "--account", "desk"],
    );
    expect(code).toBe(0);
    expect((await rules.limits("desk")).set).toEqual({ max_daily_loss_pct: null, max_orders_a_minute: 3 });
  });

  it.each([
    ["max_notional=1", /"max_notional=1" sets no limit\nSay name=value. The limits: max_notional_usd, /],
    ["5000", /sets no limit/],
    [
      "max_notional_usd=5,000",
      /max_notional_usd cannot be "5,000"\nIt is a number above 0 such as 5000, or none/,
    ],
    ["max_notional_usd=-1", /number above 0/],
    ["max_notional_usd=0", /number above 0/],
    ["max_notional_usd=", /number above 0/],
    ["max_daily_loss_pct=101", /100 at the most/],
    ["max_orders_a_minute=1.5", /whole number/],
    ["max_orders_a_minute=0", /whole number/],
    ["cooldown_minutes=none", /cooldown_stop_outs=none/],
    ["hours=night", /It is regular or any/],
    ["symbols=AAPL,NOPE", /this market has no "NOPE"/],
    ["symbols=", /this market has no ""/],
    ["__proto__=1", /sets no limit/],
  ])("refuses %s, says what is right and changes nothing", async (term, why) => {
    const { run, rules, acts, open } = await tradingDesk();
    const { code, out, err } = await run("limits", "set", "max_quantity=5", term);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(why);
    expect((await rules.limits("owner")).setAt).toBeNull();
    expect(acts).toEqual([]);
    expect(open()).toBe(0);
  });

  it("refuses a limit said twice and an account that is not there", async () => {
    const { run } = await tradingDesk();
    expect((await run("limits", "set", "hours=any", "hours=regular")).err).toContain("hours is set twice");
    expect(await run("limits", "set", "hours=any", "--account", "bob")).toMatchObject({
      code: 1,
      err: 'NOT_FOUND There is no account "bob" here\nAccounts: owner, desk.\n',
    });
  });

  it("changes nothing that cannot be written down", async () => {
    const { run, rules, paper } = await tradingDesk();
    paper.full = true;
    expect((await run("limits", "set", "hours=any")).code).toBe(1);
    expect((await rules.limits("owner")).setAt).toBeNull();
  });
});

describe("limits reset, engage and release", () => {
  it("puts back the defaults", async () => {
    const { run, rules, acts } = await tradingDesk();
    await rules.setLimits("owner", { hours: "any" }, AT);
    expect(await run("limits", "reset")).toMatchObject({
      code: 0,
      out: "The default limits hold for owner again.\n",
    });
    expect(await rules.limits("owner")).toEqual({ limits: DEFAULT_LIMITS, set: {}, setAt: null });
    expect(acts).toMatchObject([{ event: "limits", about: { change: "defaults" } }]);
  });

  it("engages the kill switch and releases it again", async () => {
    const { run, rules, acts } = await tradingDesk();
    const line = `Kill switch engaged since ${AT}: odd fills. No live order is sent.\n`;
    const engage = ["limits", "engage", "--account", "desk", "--reason", "odd fills"];
    expect(await run(...engage)).toMatchObject({ code: 0, out: line });
    expect(await run(...engage)).toMatchObject({ code: 0, out: line });
    expect((await run("limits", "show", "--account", "desk")).out).toContain(line);
    expect(await run("limits", "release", "--account", "desk")).toMatchObject({
      code: 0,
      out: `Kill switch released since ${AT}.\n`,
    });
    expect(await rules.killSwitch("desk")).toMatchObject({ engaged: false });
    expect(acts.map(({ account, event, about }) => [account, event, about.engaged])).toEqual([
      ["desk", "kill_switch", true],
      ["desk", "kill_switch", false],
    ]);
  });

  it("engages even where that cannot be written down, and the log says so; releases nothing then", async () => {
    const { run, rules, paper, lines } = await tradingDesk();
    paper.full = true;
    expect((await run("limits", "engage")).code).toBe(0);
    expect(lines).toMatchObject([
      { level: "error", event: "audit", fields: { account: "owner", audited: "kill_switch", engaged: true } },
    ]);
    expect(await rules.killSwitch("owner")).toMatchObject({ engaged: true });
    expect((await run("limits", "release")).code).toBe(1);
    expect(await rules.killSwitch("owner")).toMatchObject({ engaged: true });
  });
});
