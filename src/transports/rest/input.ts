import { ToolError } from "../../kernel/errors.ts";
import { coerceText } from "../../lib/coerce.ts";
import { jsonBody, MAX_BODY_BYTES } from "../http/body.ts";
import { pathFields, queryFields } from "../http/paths.ts";

/** Part of a published input schema that is needed to convert text values. */
export interface InputSchema {
  readonly properties?: Record<string, { readonly type?: string }>;
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "DELETE"]);

/**
 * Merges path, query and JSON body into the tool input. Omits query parameters in `reservedParameters`. A body
 * that is a bare JSON string becomes the field named by `text`. Rejects with INVALID_INPUT if a field is given with
 * different values.
 */
export async function parseInput(
  request: Request,
  schema: InputSchema,
  template: string,
  {
    reservedParameters = [],
    text,
  }: { readonly reservedParameters?: readonly string[]; readonly text?: string | undefined } = {},
): Promise<Record<string, unknown>> {
  const { url } = request;
  const fromPath = coerceText(schema, pathFields(template, url));
  const withBody = METHODS_WITH_BODY.has(request.method);
  if (!withBody) rejectBody(request);
  if (!withBody && !url.includes("?")) return fromPath;
  const query = new Map([...queryFields(url)].filter(([field]) => !reservedParameters.includes(field)));
  const fromQuery = coerceText(schema, singleValues(query, schema));
  const fromBody = withBody ? await jsonBody(request, { text }) : {};
  const merged = new Map<string, unknown>();
  for (const [field, value] of [fromPath, fromQuery, fromBody].flatMap(Object.entries<unknown>)) {
    if (merged.has(field) && !isSameValue(merged.get(field), value)) throw conflictingValuesError(field);
    merged.set(field, value);
  }
  return Object.fromEntries(merged);
}

/** Returns an error on the input of a tool with the names under which its route publishes the fields. */
export function withPublishedNames(failure: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(failure instanceof ToolError) || failure.code !== "INVALID_INPUT") return failure;
  const renamed = (text: string) =>
    Object.entries(names).reduce(
      (all, [field, name]) => all.replace(new RegExp(`\\b${field}(?=[:,.]|$)`, "g"), name),
      text,
    );
  const { errors, ...data } = (failure.data ?? {}) as { errors?: readonly { readonly pointer: string }[] };
  return new ToolError(failure.code, renamed(failure.message), {
    ...(failure.hint !== undefined && { hint: renamed(failure.hint) }),
    data: {
      ...data,
      ...(errors && { errors: errors.map((fault) => ({ ...fault, pointer: renamed(fault.pointer) })) }),
    },
  });
}

/** Throws if a request has a body that would be ignored. */
function rejectBody({ headers }: Request): void {
  const length = Number(headers.get("content-length") ?? 0);
  if (length > MAX_BODY_BYTES)
    throw new ToolError("BODY_TOO_LARGE", `The body is larger than ${MAX_BODY_BYTES} bytes`, {
      hint: "This route takes no body: pass the fields in the path or the query.",
    });
  if (length > 0 || headers.has("transfer-encoding"))
    throw new ToolError("INVALID_INPUT", "A GET request takes no body", {
      hint: "Pass the fields in the path or the query.",
    });
}

/** Returns one string per field. Repeated array fields are joined; any other repeated field must have equal values. */
function singleValues(
  fields: ReadonlyMap<string, readonly string[]>,
  { properties = {} }: InputSchema,
): Record<string, string> {
  return Object.fromEntries(
    [...fields].map(([field, texts]) => {
      if (properties[field]?.type === "array") return [field, texts.join(",")];
      if (texts.some((text) => text !== texts[0])) throw conflictingValuesError(field);
      return [field, texts[0]!];
    }),
  );
}

const isSameValue = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((item, i) => item === b[i])
    : Object.is(a, b);

function conflictingValuesError(field: string): ToolError {
  const name = field.slice(0, 60);
  return new ToolError("INVALID_INPUT", `"${name}" is given twice with different values`, {
    hint: "Pass each field once: in the path, in the query or in the body.",
    data: {
      errors: [
        {
          pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
          detail: "Given twice with different values",
        },
      ],
    },
  });
}
