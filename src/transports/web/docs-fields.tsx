import { Fragment } from "hono/jsx";

type Property = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
};
/** An object of a published schema. */
export type Shape = {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
};
export interface FieldRow {
  /** Path of the field: `price`, `drivers.rsi`, `targets[].price`, `by_name.*.price`. */
  readonly path: string;
  readonly required: boolean;
  readonly property: Property;
}

const DEPTH = 4;

interface Fields {
  readonly caption: string;
  readonly shape: Shape;
  /** true for input fields, which show their default and whether they are required. Default: false. */
  readonly isInput?: boolean;
}

/** Renders the fields of an object and its nested objects as a table. */
export function FieldsTable({ caption, shape, isInput = false }: Fields) {
  const rows = rowsOf(shape);
  if (rows.length === 0) return <p>No {caption.toLowerCase()}.</p>;
  return (
    <div class="table">
      <table class="fields">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, required, property }) => (
            <tr>
              <td>
                <code>
                  <FieldPath path={path} />
                </code>
                {isInput && required && (
                  <>
                    {" "}
                    <b title="required">*</b>
                  </>
                )}
              </td>
              <td>
                {typeOf(property)}
                {isInput ? defaultText(property) : ""}
              </td>
              <td>{property.description ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders a path with line break opportunities at its dots. */
const FieldPath = ({ path }: { readonly path: string }) =>
  path.split(".").map((name, i) =>
    i === 0 ? (
      name
    ) : (
      <Fragment>
        .<wbr />
        {name}
      </Fragment>
    ),
  );

/** Returns the fields of an object, each followed by its nested fields, four levels deep. */
export function rowsOf({ properties = {}, required = [] }: Shape, before = "", depth = 1): FieldRow[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${before}${name}`;
    const inner = new Map(
      (depth < DEPTH ? nestedShapesOf(property) : [])
        .flatMap(({ mark, shape }) => rowsOf(shape, `${path}${mark}.`, depth + 1))
        .map((row) => [row.path, row] as const),
    );
    return [{ path, required: required.includes(name), property }, ...inner.values()];
  });
}

/** Returns the object schemas nested in a field, each with the path segment between the field and its members. */
function nestedShapesOf({ anyOf, items, properties, additionalProperties, required }: Property): readonly {
  readonly mark: string;
  readonly shape: Shape;
}[] {
  const within = (mark: string, inner: unknown) =>
    typeof inner === "object" && inner !== null
      ? nestedShapesOf(inner as Property).map((nested) => ({ ...nested, mark: `${mark}${nested.mark}` }))
      : [];
  return [
    ...(Array.isArray(anyOf) ? anyOf.flatMap((option) => within("", option)) : []),
    ...within("[]", items),
    ...within(".*", additionalProperties),
    ...(properties === undefined ? [] : [{ mark: "", shape: { properties, required } as Shape }]),
  ];
}

/** Formats a type for readers: `integer, 1 to 500`, `HOT | WATCH`, `list of string`, `number or null`. */
export function typeOf(property: Property): string {
  const { type, items, enum: values, anyOf, minimum, maximum, const: only } = property;
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(each as Property)).join(" or ");
  if (Array.isArray(values)) return values.map(String).join(" | ");
  if (only !== undefined) return String(only);
  if (Array.isArray(type))
    return type.map((name: string) => typeOf({ ...property, type: name })).join(" or ");
  if (type === "null") return "null";
  if (type === "array") return `list of ${typeOf((items ?? {}) as Property)}`;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum} to ${maximum}`
      : minimum !== undefined
        ? `, at least ${minimum}`
        : maximum !== undefined
          ? `, at most ${maximum}`
          : "";
  return `${type ?? "any"}${range}`;
}

/** Formats the default value of a field; empty if it has none. */
const defaultText = ({ default: value }: Property): string =>
  value === undefined ? "" : `; default ${typeof value === "string" ? value : JSON.stringify(value)}`;
