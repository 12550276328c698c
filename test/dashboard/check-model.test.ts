import { describe, expect, it } from "vitest";
import {
  type CheckOutput,
  orderText,
  type PreviewOutput,
  rulesOfCheck,
  rulesOfPreview,
  verdictOf,
} from "../../src/dashboard/views/check/check-model.ts";

const CHECK = {
  rules: [
    {
      rule: "buying_power",
      level: "stop",
      value: "5575000 USD",
      limit: "100000.50 USD",
      would_pass: "quantity 358",
      why: "It costs more than the buying power.",
    },
    { rule: "position_share", level: "warn", value: "5575 % of equity", limit: "20 % of equity" },
  ],
  unknown: [{ what: "spread", send: "quote.bid and quote.ask", required: true }, { what: "news" }],
  passed: ["short_selling"],
} as unknown as CheckOutput;

const checkOf = (changes: object) => ({
  rule: "risk",
  state: "passed",
  level: "stop",
  value: "1",
  limit: "2",
  unit: null,
  would_pass: null,
  ...changes,
});
const preview = (checks: readonly object[], changes: object = {}) =>
  ({ checks, ticket_id: "tk_1", ...changes }) as unknown as PreviewOutput;

describe("the rules of an order check", () => {
  it("are those that failed, what is unknown, and those that passed", () => {
    const nothing = { value: null, limit: null, passes: null, why: null };
    expect(rulesOfCheck(CHECK)).toEqual([
      {
        rule: "buying_power",
        state: "failed",
        level: "stop",
        value: "5,575,000 USD",
        limit: "100,000.50 USD",
        passes: "quantity 358",
        why: "It costs more than the buying power.",
      },
      {
        rule: "position_share",
        state: "failed",
        level: "warn",
        value: "5575 % of equity",
        limit: "20 % of equity",
        passes: null,
        why: null,
      },
      { ...nothing, rule: "spread", state: "unknown", level: "warn", why: "send quote.bid and quote.ask" },
      { ...nothing, rule: "news", state: "unknown", level: "info" },
      { ...nothing, rule: "short_selling", state: "passed", level: "info" },
    ]);
  });
});

describe("the rules of a trade preview", () => {
  it("begin with those that did not pass, the gravest first", () => {
    const rows = rulesOfPreview(
      preview([
        checkOf({ rule: "passes" }),
        checkOf({ rule: "unknown", state: "unknown" }),
        checkOf({ rule: "warns", state: "failed", level: "warn" }),
        checkOf({ rule: "stops", state: "failed" }),
      ]),
    );
    expect(rows.map(({ rule }) => rule)).toEqual(["stops", "warns", "unknown", "passes"]);
  });

  it("name the unit of a number, and what would pass or when", () => {
    const [amount, text, later] = rulesOfPreview(
      preview([
        checkOf({ value: "1200.5", limit: "1000", unit: "USD", would_pass: "3" }),
        checkOf({ value: "not known", limit: null, unit: "USD" }),
        checkOf({ passes_at: "2026-12-01T14:30:00Z" }),
      ]),
    );
    expect(amount).toMatchObject({ value: "1,200.5 USD", limit: "1,000 USD", passes: "3 USD" });
    expect(text).toMatchObject({ value: "not known", limit: null, passes: null });
    expect(later).toMatchObject({ value: "1", passes: "at 2026-12-01T14:30:00Z" });
  });
});

describe("the verdict of a trade preview", () => {
  it.each([
    ["stop", preview([], { ticket_id: null })],
    ["warn", preview([checkOf({ state: "unknown", level: "warn" })])],
    ["ok", preview([checkOf({ state: "failed", level: "info" }), checkOf({})])],
  ])("is %s", (verdict, output) => {
    expect(verdictOf(output)).toBe(verdict);
  });
});

describe("the order of a trade preview", () => {
  const intent = {
    symbol: "AAPL",
    side: "buy",
    type: "market",
    quantity: "5",
    limit_price: null,
    stop_price: null,
    stop_loss: "250",
    take_profit: null,
  };

  it.each([
    [intent, "buy 5 AAPL, at the market, stop_loss 250"],
    [
      { ...intent, type: "stop_limit", limit_price: "270", stop_price: "268", take_profit: "320" },
      "buy 5 AAPL, stop_limit, limit 270, stop 268, stop_loss 250, take_profit 320",
    ],
    [null, null],
  ])("%# is in words", (given, text) => {
    expect(orderText({ intent: given } as unknown as PreviewOutput)).toBe(text);
  });
});
