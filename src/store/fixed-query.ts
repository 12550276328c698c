import type { Compilable, Kysely } from "kysely";
import { lazy } from "../lib/lazy.ts";
import type { Schema } from "./schema.ts";

/**
 * Returns a function that runs a query whose SQL is built once, which takes most of the time of a small one. `build` gets
 * a text for each value, and uses it once where the value stands.
 */
export function fixedQuery<Names extends string, Row>(
  db: Kysely<Schema>,
  names: readonly Names[],
  build: (values: Readonly<Record<Names, string>>) => Compilable<Row>,
): (values: Readonly<Record<Names, string>>) => Promise<Row | undefined> {
  const query = lazy(() => {
    const marks = new Map(names.map((name) => [`value of ${name}`, name]));
    const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const compiled = build(values as Record<Names, string>).compile();
    return { compiled, nameOf: (parameter: unknown) => marks.get(parameter as string) };
  });
  return async (values) => {
    const { compiled, nameOf } = query();
    const parameters = compiled.parameters.map((parameter) => {
      const name = nameOf(parameter);
      return name === undefined ? parameter : values[name];
    });
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows[0];
  };
}
