import { MarketSignalError } from "./error.ts";

/** What one call sends. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/**
 * Returns the request of a route such as "GET /api/v1/quote/:symbol": fields named in the path go there, the rest into
 * the query of a GET and into the body of any other verb. Undefined fields are left out.
 * @throws MarketSignalError INVALID_INPUT if a field of the path is missing
 */
export function requestOf(base: string, route: string, input: object): PreparedRequest {
  const [method, template] = route.split(" ") as [string, string];
  const rest = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return segmentOf(name, value);
  });
  const url = `${base}${path}`;
  if (method !== "GET")
    return rest.size === 0
      ? { method, url }
      : { method, url, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) if (value !== null) query.set(name, queryText(value));
  return { method, url: query.size === 0 ? url : `${url}?${query}` };
}

function segmentOf(name: string, value: unknown): string {
  // a URL drops the segments "." and ".."
  if (value === undefined || value === null || ["", ".", ".."].includes(String(value)))
    throw new MarketSignalError(`"${name}" is missing`, {
      code: "INVALID_INPUT",
      hint: `Pass ${name}.`,
      errors: [{ pointer: `/${name}`, detail: "Required" }],
    });
  return encodeURIComponent(String(value));
}

/** Lists and objects are sent as JSON, because their texts may contain commas. */
const queryText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
