import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../src/app/catalogue.ts";
import type { Reader } from "../../../../src/features/questions/told/reader.ts";
import { SIDES, type Skill, TELLERS } from "../../../../src/features/questions/told/tellers.ts";
import { jsonSchemaOf } from "../../../../src/kernel/publish.ts";
import type { Tool } from "../../../../src/kernel/tool.ts";

type Schema = Readonly<Record<string, unknown>>;
type Kind = "number" | "string" | "array" | "boolean";

const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));

/** What a schema holds at a key, in whichever of its forms. */
function within(schema: Schema, key: string, root: Schema): readonly Schema[] {
  return formsOf(schema, root).flatMap((form) => {
    const inside = /^\d+$/.test(key) ? form.items : (form.properties as Schema | undefined)?.[key];
    return inside === undefined ? [] : formsOf(inside as Schema, root);
  });
}

function formsOf(schema: Schema, root: Schema): readonly Schema[] {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1)!;
    return formsOf((root.$defs as Readonly<Record<string, Schema>>)[name]!, root);
  }
  const several = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as readonly Schema[] | undefined;
  return several === undefined ? [schema] : several.flatMap((one) => formsOf(one, root));
}

/** Says of every path that is read whether the schema has it in the kind it is read as; answers with a figure, or with nothing. */
function recording(root: Schema, { empty, read }: { empty: boolean; read: Map<string, boolean> }): Reader {
  const at = (forms: readonly Schema[], prefix: string): Reader => {
    const look = (path: string, kind: Kind) => {
      const found = path
        .split(".")
        .reduce<readonly Schema[]>((from, key) => from.flatMap((form) => within(form, key, root)), forms);
      const types = found
        .flatMap(({ type }) => type as string | readonly string[])
        .map((type) => (type === "integer" ? "number" : type));
      read.set(`${prefix}${path} as ${kind}`, types.includes(kind));
      const values = found.flatMap((form) => [...((form.enum ?? []) as string[]), form.const ?? []]);
      return { found, word: values.find((value) => typeof value === "string") as string | undefined };
    };
    const number = (path: string) => {
      look(path, "number");
      return empty ? null : 1;
    };
    const string = (path: string) => {
      const { word = "2026-01-15" } = look(path, "string");
      return empty ? null : word;
    };
    return {
      number,
      price: number,
      millions: number,
      text: string,
      reason: string,
      moment: string,
      isTrue: (path) => look(path, "boolean").found.length > 0 && !empty,
      list(path) {
        const { found } = look(path, "array");
        const rows = found.flatMap((form) => within(form, "0", root));
        return empty ? [] : [at(rows, `${prefix}${path}.`)];
      },
    };
  };
  return at([root], "");
}

const BESIDES = { get_calendar: SIDES.hours } as const;

describe("how the answer of a tool is told", () => {
  const tellers = [...Object.entries(TELLERS), ...Object.entries(BESIDES)];
  it.each(tellers)("reads of %s only what that tool answers with", (skill, tell) => {
    const root = jsonSchemaOf(tools.get(skill)!.output, "output") as Schema;
    const read = new Map<string, boolean>();
    for (const empty of [false, true])
      for (const symbol of ["XYZ", null])
        tell(recording(root, { empty, read }), symbol, false, undefined, { shown: 1, rr: true });
    expect(read.size).toBeGreaterThan(2);
    expect([...read].filter(([, isThere]) => !isThere).map(([path]) => path)).toEqual([]);
  });

  it("is known of each tool that a question is answered with, all of which only read", () => {
    const skills: readonly Skill[] = Object.keys(TELLERS) as Skill[];
    expect(skills.map((skill) => tools.get(skill)?.effect)).toEqual(skills.map(() => "read"));
  });
});
