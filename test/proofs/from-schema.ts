import fc from "fast-check";

/** The JSON Schema keywords that constrain values. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
}

const TEXTS = [
  "AAPL",
  "BTC-USD",
  "nvda",
  "BTC/USD",
  "Apple",
  "What is the signal on Apple?",
  "2025-12-31",
] as const;

/** Values that a schema allows; a text is sometimes one with a meaning in this product. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { type, anyOf, items = {}, properties = {}, required = [] } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(fitting));
  switch (type) {
    case "string":
      return text(schema);
    case "integer":
    case "number": {
      const [min, max] = [schema.minimum ?? -1e6, schema.maximum ?? 1e6];
      return type === "integer" ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
    }
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(fitting(items), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 2),
      });
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fitting(one)])),
        { requiredKeys: [...required] },
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Look-aheads, which the generator ignores; its texts are checked against the full pattern. */
const LOOK_AHEAD = /\(\?[=!](?:[^()]|\([^()]*\))*\)/g;

function text({ format, minLength = 0, maxLength = 40, pattern }: Schema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const longest = Math.min(maxLength, Math.max(minLength, 60));
  const shape = new RegExp(pattern ?? "");
  const any =
    pattern === undefined
      ? fc.string({ unit: "grapheme", minLength, maxLength: longest })
      : fc.stringMatching(new RegExp(pattern.replaceAll(LOOK_AHEAD, ""))).filter((one) => shape.test(one));
  const known = TEXTS.filter((one) => one.length >= minLength && one.length <= maxLength && shape.test(one));
  return known.length === 0
    ? any
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: any });
}

const NASTY = [
  "",
  " ",
  "null",
  "NaN",
  "-0",
  "1e999",
  "0x10",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "..%2f..%2f",
  "%00",
  "\u0000",
  "\u001b[31mred\u001b[0m",
  "\u202eevil\u2066",
  "\ud800",
  "'; DROP TABLE keys; --",
  "#{7*7}{{7*7}}",
  "<script>alert(1)</script>",
  "A".repeat(4_000),
  "é🐂".repeat(700),
  "$".repeat(500),
] as const;

/** Texts that have broken other servers. */
export const nastyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: "binary", maxLength: 50 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
  );

/** JSON values that rarely match a schema: wrong types, extreme numbers, malicious texts, nested values. */
export const nastyValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(null, true, -0, 0.1, -1, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324, [], {}, [[]], ""),
    nastyText(),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constant(JSON.parse('{"__proto__": {"plan": "enterprise"}, "constructor": {"prototype": 1}}')),
    fc.array(nastyText(), { maxLength: 30 }),
  );

/** JSON texts, valid or not, that must not break our parsers. */
export const nastyJson = (): fc.Arbitrary<string> =>
  fc.oneof(
    nastyValue().map((value) => JSON.stringify(value)),
    fc.constantFrom(1_000, 20_000, 200_000).map((deep) => "[".repeat(deep) + "]".repeat(deep)),
    fc.constantFrom(1_000, 20_000).map((deep) => `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
    fc.constantFrom(
      "{",
      "[1,",
      '{"a":1,}',
      '{"a":1}{"b":2}',
      "\ufeff{}",
      "NaN",
      "undefined",
      '"\\ud800"',
      "1e99999",
      "{'a':1}",
      "",
    ),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constant(`{"a":${"9".repeat(5_000)}}`),
    fc.constant(`{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`),
  );

/** An input for a schema: mostly a valid one, often with a field replaced, added or removed. */
export function input(schema: Schema, examples: readonly unknown[]): fc.Arbitrary<Record<string, unknown>> {
  const good = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(examples.length === 0 ? [{}] : examples)) },
    { weight: 2, arbitrary: fitting(schema) },
  ) as fc.Arbitrary<Record<string, unknown> | null>; // what may be anything may be null
  const names = Object.keys(schema.properties ?? {});
  const name = fc.oneof(fc.constantFrom(...names, "detail"), nastyText());
  const bad = fc.tuple(good, name, nastyValue(), fc.boolean()).map(([base, field, value, drop]) => {
    const entries = Object.entries(base ?? {}).filter(([key]) => key !== field);
    return Object.fromEntries(drop ? entries : [...entries, [field, value]]);
  });
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 3, arbitrary: bad }) as fc.Arbitrary<
    Record<string, unknown>
  >;
}
