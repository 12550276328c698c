import { groupBy } from "../../lib/group-by.ts";

interface Parameter {
  readonly name: string;
  readonly example?: unknown;
}
type Operations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Length of the JSON of a parameter from which a repeated one becomes a component. A reference has about 45. */
const MIN_SHARED_LENGTH = 100;

/**
 * Replaces each parameter that occurs in several operations of the paths by a reference to one component, named after it:
 * `to`, the next one of this name `to_2`. Parameters that differ only in their example have the first one.
 */
export function shareParameters(paths: Operations): {
  readonly paths: Operations;
  readonly parameters: Readonly<Record<string, Parameter>>;
} {
  const uses = groupBy(Object.values(paths).flatMap(parametersIn), textWithoutExample);
  const names = new Map<string, string>();
  const parameters: Record<string, Parameter> = {};
  const shared = (parameter: Parameter): object => {
    const text = textWithoutExample(parameter);
    const same = uses.get(text)!;
    if (same.length < 2 || text.length < MIN_SHARED_LENGTH) return parameter;
    const name = names.get(text) ?? freeName(parameter.name, parameters);
    names.set(text, name);
    parameters[name] = same.find(({ example }) => example !== undefined) ?? parameter;
    return { $ref: `#/components/parameters/${name}` };
  };
  const withReferences = mapValues(paths, (item) =>
    mapValues(item, (operation) => {
      const own = (operation as { readonly parameters?: readonly Parameter[] }).parameters;
      return own === undefined ? operation : { ...(operation as object), parameters: own.map(shared) };
    }),
  );
  return { paths: withReferences, parameters };
}

const textWithoutExample = ({ example: _, ...parameter }: Parameter): string => JSON.stringify(parameter);

const parametersIn = (item: Readonly<Record<string, unknown>>): readonly Parameter[] =>
  Object.values(item).flatMap(
    (operation) => (operation as { readonly parameters?: readonly Parameter[] }).parameters ?? [],
  );

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let n = 2; Object.hasOwn(taken, free); n++) free = `${name}_${n}`;
  return free;
}

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
