import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Amount } from "../../../../src/domain/trading/trading.ts";
import { asToolError } from "../../../../src/kernel/errors.ts";
import { Decimal, Instant, Order, statusOf } from "../../../../src/providers/alpaca/broker/wire.ts";
import { AlpacaAccount } from "../../../support/fake-alpaca-account.ts";
import { intent } from "../../broker-contract.ts";
import { fixedResponseBench } from "./bench.ts";

const digitText = (least: number, most: number) => fc.stringMatching(new RegExp(`^\\d{${least},${most}}$`));

describe("an amount", () => {
  it("keeps nine decimal places, and truncates further digits towards 0", () => {
    fc.assert(
      fc.property(fc.boolean(), digitText(1, 15), digitText(1, 20), (below, whole, behind) => {
        const text = `${below ? "-" : ""}${whole}.${behind}`;
        const result = Decimal.parse(text);
        expect(Amount.safeParse(result).success).toBe(true);
        expect(new Big(result).eq(new Big(text).round(9, Big.roundDown))).toBe(true);
        expect(result).not.toMatch(/^-0(\.0*)?$|\.\d*0$/);
      }),
    );
  });

  it.each([
    "1e5",
    "NaN",
    "Infinity",
    "-Infinity",
    "",
    " 1",
    "1,000.5",
    "0x10",
    "1.",
    ".5",
    "+1",
    "١",
    "9".repeat(19),
  ])("is not %o", (text) => expect(Decimal.safeParse(text).success).toBe(false));

  it("rejects every JSON number", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.constant(null)), (value) => {
        expect(Decimal.safeParse(value).success).toBe(false);
      }),
    );
  });
});

describe("a timestamp", () => {
  it("with nine decimals is truncated to the millisecond", () => {
    const between = {
      min: new Date("1971-01-01T00:00:00Z"),
      max: new Date("2200-01-01T00:00:00Z"),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(between), digitText(6, 6), (date, nanos) => {
        expect(Instant.parse(date.toISOString().replace("Z", `${nanos}Z`))).toBe(date.toISOString());
      }),
    );
  });

  it("with another offset is converted to UTC", () => {
    expect(Instant.parse("2026-10-08T11:10:18.094153596-04:00")).toBe("2026-10-08T15:10:18.094Z");
  });

  it.each(["2026-02-30T10:00:00Z", "2026-10-08", "yesterday", "2026-10-08T15:10:18", "", "1775606400"])(
    "is not %o",
    (text) => expect(Instant.safeParse(text).success).toBe(false),
  );
});

describe("a status", () => {
  it.each([
    ["new", "0", "working"],
    ["pending_new", "0", "working"],
    ["accepted", "0", "working"],
    ["held", "0", "working"],
    ["pending_cancel", "0", "working"],
    ["done_for_day", "0", "working"],
    ["partially_filled", "0.5", "partially_filled"],
    ["pending_cancel", "0.5", "partially_filled"],
    ["filled", "1", "filled"],
    ["canceled", "0.5", "cancelled"],
    ["replaced", "0", "cancelled"],
    ["expired", "0", "expired"],
    ["rejected", "0", "rejected"],
  ] as const)("%s with %s filled is %s", (status, filled_qty, expected) => {
    expect(statusOf({ status, filled_qty })).toBe(expected);
  });

  it("is rejected if unknown", () => {
    expect(Order.safeParse({ ...sample(), status: "levitating" }).success).toBe(false);
    expect(Order.safeParse(sample()).success).toBe(true);
  });
});

const book = () =>
  new AlpacaAccount({
    now: () => Date.UTC(2026, 0, 15, 15),
    asset: (symbol) => (symbol === "AAPL" ? { price: 138 } : undefined),
  });
const sample = () =>
  book().send({
    client_order_id: "ms-1",
    symbol: "AAPL",
    qty: "1",
    side: "buy",
    type: "market",
    time_in_force: "day",
  });
const held = () => {
  const one = book();
  one.send({
    client_order_id: "ms-1",
    symbol: "AAPL",
    qty: "1",
    side: "buy",
    type: "market",
    time_in_force: "day",
  });
  one.settle();
  return one.positions()[0]!;
};

/** A response with one field missing or replaced by a random value. */
const spoiled = (whole: Readonly<Record<string, unknown>>) =>
  fc
    .tuple(
      fc.constantFrom(...Object.keys(whole)),
      fc.oneof(
        fc.constant(undefined),
        fc.constantFrom<unknown>(
          Number.NaN,
          Number.MAX_VALUE,
          -1,
          0,
          null,
          true,
          [],
          {},
          "NaN",
          "-1",
          "1e400",
        ),
        fc.constantFrom("9".repeat(400), "\u0000", "\u202e", "__proto__", "null", "<html>"),
        fc.jsonValue(),
      ),
    )
    .map(([field, value]) => ({ ...whole, [field]: value }));

describe("a corrupt response", () => {
  const known = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      (result) => JSON.stringify(result),
      (cause: unknown) => asToolError(cause).code,
    );
  /** True if all amounts are decimal text. */
  const isSound = (result: string): boolean =>
    !/^[A-Z_]+$/.test(result) &&
    [
      ...result.matchAll(
        /"(equity|cash|buyingPower|quantity|averagePrice|filledQuantity|fees|stopPrice)":([^,}]*)/g,
      ),
    ].every(
      ([, , value = ""]) =>
        value === "null" || (/^".*"$/.test(value) && Amount.safeParse(value.slice(1, -1)).success),
    );
  const isFair = (result: string): boolean =>
    result === "UPSTREAM_UNAVAILABLE" || result === "REFUSED" || isSound(result);

  it("about an account gives a valid account or a known failure", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(book().account()), async (answer) => {
        expect(await known(fixedResponseBench(200, answer).broker.account())).toSatisfy(isFair);
      }),
      { numRuns: 300 },
    );
  });

  it("about positions gives valid positions or a known failure", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(held()), async (answer) => {
        expect(await known(fixedResponseBench(200, [answer]).broker.positions())).toSatisfy(isFair);
      }),
      { numRuns: 300 },
    );
  });

  it("about orders gives valid orders or a known failure", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(sample()), async (answer) => {
        const one = fixedResponseBench(200, answer).broker;
        expect(await known(one.find("ms-1"))).toSatisfy(isFair);
        const several = fixedResponseBench(200, [answer]).broker;
        expect(await known(several.orders({ since: "2026-01-01T00:00:00.000Z" }))).toSatisfy(isFair);
      }),
      { numRuns: 300 },
    );
  });

  it("to a sent order never throws, and is accepted only if it is that order", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(sample()), fc.constantFrom(200, 403, 422, 500), async (answer, status) => {
        const { broker, requests } = fixedResponseBench(status, answer);
        const sent = await broker.submit({ clientOrderId: "ms-1", intent: intent("AAPL") });
        expect(requests).toHaveLength(1);
        if (sent.outcome === "accepted")
          expect(sent.order).toMatchObject({ clientOrderId: "ms-1", symbol: "AAPL", quantity: "1" });
        if (status === 200)
          expect(sent.outcome).toSatisfy((result) => result === "accepted" || result === "unknown");
        else expect(sent.outcome).not.toBe("accepted");
      }),
      { numRuns: 300 },
    );
  });

  it("of random JSON is a known failure", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (answer) => {
        const { broker } = fixedResponseBench(200, answer);
        const result = [await known(broker.account()), await known(broker.find("ms-1"))];
        expect(result).toEqual(["UPSTREAM_UNAVAILABLE", "UPSTREAM_UNAVAILABLE"]);
      }),
      { numRuns: 200 },
    );
  });
});
