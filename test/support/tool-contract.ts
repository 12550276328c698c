import { stripVTControlCharacters, styleText } from "node:util";
import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import type { OutputOf, Tool } from "../../src/kernel/tool.ts";
import { testPorts } from "./context.ts";

type Json = Readonly<Record<string, unknown>>;

/** Registers the contract tests of a tool; called once per tool at the end of its test file. */
export function toolContract<T extends Tool>(tool: T, { ports }: { readonly ports: Partial<Ports> }): void {
  const principal = {
    account: "contract",
    plan: "enterprise",
    scopes: ["read", "write", "trade:paper"],
  } as const;
  const input = jsonSchemaOf(tool.input, "input");
  const answers = new Map<unknown, OutputOf<T>>();
  const answerTo = async (given: unknown): Promise<OutputOf<T>> => {
    const known = answers.get(given);
    if (known !== undefined) return known;
    const answer = await invoke(tool, given, { ports: testPorts(ports), principal, transport: "test" });
    answers.set(given, answer);
    return answer;
  };

  describe(`${tool.name} contract`, () => {
    it("allows null in fields that are returned only once", () => {
      for (const field of tool.secrets?.writeOnce ?? [])
        expect(tool.output.shape[field]?.safeParse(null).success, field).toBe(true);
    });

    it("has a description of at most 400 characters that names an alternative tool", () => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
      expect(tool.name.length).toBeLessThanOrEqual(64);
      expect(tool.description.length).toBeLessThanOrEqual(400);
      expect(tool.description).toMatch(/\b(Use|use)\b.*\b[a-z]+_[a-z_]+\b/s);
    });

    it("takes input that every model provider accepts, with a description for each field", () => {
      const shapes = partsOf(input);
      expect(
        shapes.filter((part) => ["anyOf", "oneOf", "allOf", "$ref", "$defs"].some((key) => key in part)),
      ).toEqual([]);
      expect(shapes.filter((part) => Array.isArray(part.type))).toEqual([]);
      expect(input).toMatchObject({ type: "object", additionalProperties: false });
      const fields = Object.entries((input.properties ?? {}) as Record<string, Json>);
      expect(fields.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    });

    it("returns an object", () => {
      expect(jsonSchemaOf(tool.output, "output")).toMatchObject({ type: "object" });
    });

    it.each(tool.examples)("returns a valid response for its example: $ask", async ({ input: given }) => {
      const answer = await answerTo(given);
      expect(tool.output.safeParse(answer).error).toBeUndefined();
      expect(numbersOf(answer).filter((value) => !Number.isFinite(value))).toEqual([]);
      expect(JSON.parse(JSON.stringify(answer)), "nothing is lost as JSON").toEqual(answer);
    });

    it("rejects an unknown field, or says that it was not applied", async () => {
      const [{ input: given }] = tool.examples as [(typeof tool.examples)[number]];
      const answer = answerTo({ ...given, no_such_field: 1 });
      if (tool.dropsUnknown)
        return expect((await answer).understood).toEqual([
          `Not applied: ${tool.name} has no field "no_such_field".`,
        ]);
      await expect(answer).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("no_such_field"),
      });
    });

    if (tool.terminal !== undefined)
      it.each(tool.examples)("formats its result for a terminal: $ask", async ({ input: given }) => {
        const answer = await answerTo(given);
        const plain = tool.terminal!(answer, (_, text) => text);
        expect(plain).not.toMatch(/undefined|NaN|\[object/);
        expect(plain.length).toBeGreaterThan(0);
        const painted = tool.terminal!(answer, (style, text) =>
          styleText(style, text, { validateStream: false }),
        );
        expect(stripVTControlCharacters(painted)).toBe(plain);
      });
  });
}

/** Every object within a JSON value, including the value itself. */
function partsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  if (typeof value !== "object" || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(partsOf)];
}

function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}
