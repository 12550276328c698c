import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SnapshotInput } from "../../../src/domain/check/snapshot.ts";
import { jsonSchemaOf } from "../../../src/kernel/publish.ts";

const Input = z.object(SnapshotInput);
const problemOf = (input: unknown) => {
  const { error } = Input.safeParse(input);
  return error === undefined ? null : `${error.issues[0]!.path.join("/")} ${error.issues[0]!.message}`;
};
const fieldsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]));

describe("the input of a snapshot", () => {
  it("is optional in all its parts", () => {
    expect(Input.parse({})).toEqual({});
  });

  it("publishes numbers without a pattern, texts with a length and rows with a maximum of fields", () => {
    const { properties } = jsonSchemaOf(Input, "input") as { properties: Record<string, any> };
    expect(properties.positions).toMatchObject({
      type: "array",
      maxItems: 200,
      items: {
        type: "object",
        properties: {
          symbol: { type: "string", maxLength: 60 },
          quantity: { type: "number" },
          average_price: { type: "number" },
          price: { type: "number" },
          stop_loss: { type: "number" },
        },
        additionalProperties: {},
        maxProperties: 60,
      },
    });
    expect(properties.positions.items.required).toBeUndefined();
    expect(properties.open_orders.maxItems).toBe(200);
    expect(properties.recent_trades.maxItems).toBe(500);
  });

  it("is published in at most 400 tokens of four characters", () => {
    expect(JSON.stringify(jsonSchemaOf(Input, "input")).length).toBeLessThanOrEqual(1_600);
  });

  it("keeps the values and the names of a broker", () => {
    const input = {
      account: { equity: "$50,000", buying_power: { buying_power: "1.5" } },
      positions: [{ symbol: 5, quantity: "abc", contract: { symbol: "AAPL" }, tags: ["a", "b"] }],
    };
    expect(Input.parse(input)).toEqual(input);
  });

  it.each<[string, unknown, string]>([
    [
      "more than 60 fields",
      { positions: [{}, fieldsOf(61)] },
      "positions/1 must have at most 60 fields, also in each object inside it",
    ],
    [
      "an object of more than 60 fields",
      { quote: { quote: fieldsOf(61) } },
      "quote must have at most 60 fields, also in each object inside it",
    ],
    [
      "objects in objects",
      { open_orders: [{ legs: [{ symbol: "AAPL" }] }] },
      'open_orders/0 must be nested at most one level deep: leave out "legs", or send its fields beside the others',
    ],
  ])("refuses %s", (_, input, expected) => {
    expect(problemOf(input)).toBe(expected);
  });

  it("accepts 60 fields, 200 positions and 500 fills, and no more", () => {
    const rows = (count: number) => Array.from({ length: count }, () => ({ symbol: "AAPL" }));
    expect(problemOf({ account: fieldsOf(60), positions: rows(200), recent_trades: rows(500) })).toBeNull();
    expect(problemOf({ positions: rows(201) })).toContain("positions");
    expect(problemOf({ recent_trades: rows(501) })).toContain("recent_trades");
  });
});
