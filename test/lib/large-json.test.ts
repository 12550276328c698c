import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonLimitError } from "../../src/lib/json-size.ts";
import { parseLargeJson } from "../../src/lib/large-json.ts";

const NO_LIMIT = { values: 10_000_000 };
const parsed = (text: string, part = 1) => parseLargeJson(Buffer.from(text), { ...NO_LIMIT, part });

describe("parseLargeJson", () => {
  it("parses every value like JSON.parse, in parts of any size", async () => {
    const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom("", " ", "\n\t"));
    await fc.assert(
      fc.asyncProperty(spaced, fc.integer({ min: 1, max: 80 }), async ([json, space], part) => {
        const text =
          space + json.replaceAll(/[[\]{},:](?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/g, `$&${space}`);
        expect(await parsed(text, part)).toEqual(JSON.parse(text));
      }),
      { numRuns: 400 },
    );
  });

  it("rejects every text that JSON.parse rejects", async () => {
    const token = fc.constantFrom("[", "]", "{", "}", ",", ":", '"a"', "1", " ", "null");
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { maxLength: 9 }),
        fc.integer({ min: 1, max: 12 }),
        async (tokens, part) => {
          const text = tokens.join("");
          const expected = await Promise.resolve(text)
            .then(JSON.parse)
            .then(JSON.stringify, () => "rejected");
          expect(await parsed(text, part).then(JSON.stringify, () => "rejected"), text).toBe(expected);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['{"__proto__":[1,2],"a":1}', ["__proto__", "a"]],
    ['{"a":[1],"b":2,"a":[3]}', ["a", "b"]],
    ['\ufeff{"a":"ü,[\\""}', ["a"]],
  ])("keeps the names of %s", async (text, names) => {
    const value = (await parsed(text)) as object;
    expect(Object.keys(value)).toEqual(names);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text.replace("\ufeff", ""))));
  });

  it.each([
    ["more values", `[${"1,".repeat(100)}1]`, { values: 100 }, "more than 100 values"],
    ["deeper nesting", "[".repeat(101), NO_LIMIT, "nested deeper than 100"],
    ["more depth than allowed", "[[[1]]]", { values: 10, depth: 2 }, "nested deeper than 2"],
    [
      "more names",
      `{${Array.from({ length: 100_001 }, (_, i) => `"${i}":1`)}}`,
      NO_LIMIT,
      "more than 100000 names in an object",
    ],
    ["a longer text", `"${"x".repeat(9_000_000)}"`, NO_LIMIT, "a text longer than 8388608 bytes"],
  ])("rejects %s than its limits", async (_, text, limits, message) => {
    await expect(parseLargeJson(Buffer.from(text), limits)).rejects.toEqual(new JsonLimitError(message));
  });

  it("lets other events be handled while it parses", async () => {
    const text = JSON.stringify(
      Array.from({ length: 200_000 }, (_, i) => ({ time: i, close: 101.25, name: "a" })),
    );
    let turns = 0;
    let isRunning = true;
    const count = () => {
      turns++;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    // compared as text: toEqual takes ten seconds for as many rows
    expect(JSON.stringify(await parseLargeJson(Buffer.from(text), NO_LIMIT))).toBe(text);
    isRunning = false;
    expect(turns).toBeGreaterThan(2);
  });
});
