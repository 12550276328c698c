import { describe, expect, it } from "vitest";
import { z } from "zod";
import { namedValues, withTextForm } from "../../src/domain/text-form.ts";

describe("named values", () => {
  it.each([
    ["fast=10, slow=20", { fast: "10", slow: "20" }],
    ["fast = 10 ; slow=20;", { fast: "10", slow: "20" }],
    ["fast=5..50:5; slow=60,100", { fast: "5..50:5", slow: "60,100" }],
    ["fast=5,10 slow=60,100", { fast: "5,10", slow: "60,100" }],
    ["side=both", { side: "both" }],
  ])("of '%s' are read", (text, values) => {
    expect(namedValues(text)).toEqual(values);
  });

  it.each(["", "fast 10", "10"])("are not guessed from '%s'", (text) => {
    expect(namedValues(text)).toBe(text);
  });
});

describe("an object with a text form", () => {
  const schema = withTextForm(z.strictObject({ n: z.string() }), { form: "`n=1`", parse: namedValues });

  it.each([{ n: "1" }, "n=1", '{"n":"1"}', ' {"n": "1"}'])("is read from %j", (given) => {
    expect(schema.parse(given)).toEqual({ n: "1" });
  });

  it.each(["x", "{n:1}", "m=1", 1])("is not read from %j", (given) => {
    expect(schema.safeParse(given).success).toBe(false);
  });
});
