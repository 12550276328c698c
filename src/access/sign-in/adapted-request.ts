import { ToolError } from "../../kernel/errors.ts";
import { OFFLINE_SCOPE, PASSWORD_ENDPOINT } from "./paths.ts";

/**
 * Returns a request as better-auth needs it: an app that names no scope asks for reading; every app may stay connected;
 * and a registration does not limit which scopes it may ask for later.
 */
export async function adaptRequest(
  request: Request,
  {
    url,
    endpoint,
    headers,
    publicUrl,
  }: {
    readonly url: URL;
    readonly endpoint: string;
    readonly headers: Headers;
    readonly publicUrl: string;
  },
): Promise<Request> {
  const target = new URL(`${url.pathname}${url.search}`, publicUrl);
  if (endpoint === "/oauth2/authorize") {
    const scopes = new Set(
      (target.searchParams.get("scope") ?? "read").split(" ").filter((text) => text !== ""),
    );
    target.searchParams.set("scope", [...scopes.add(OFFLINE_SCOPE)].join(" "));
  }
  const { method } = request;
  // the server leaves out the body of an answer to HEAD
  if (method === "GET" || method === "HEAD") return new Request(target, { headers });
  const body = await request.text();
  checkQuery(body);
  headers.delete("content-length");
  return new Request(target, {
    method,
    headers,
    body: (ADAPTED_BODIES[endpoint] ?? ((given) => given))(body),
  });
}

/** Throws INVALID_INPUT if `oauth_query` of a body is not text, on which better-auth would fail. */
function checkQuery(body: string): void {
  let query: unknown;
  try {
    query = JSON.parse(body).oauth_query;
  } catch {
    return; // better-auth says what is wrong
  }
  if (query !== undefined && typeof query !== "string")
    throw new ToolError("INVALID_INPUT", "The field oauth_query is not text");
}

/** Returns the address in the body of a sign-in; null if there is none. */
export function emailIn(body: string): string | null {
  try {
    const { email } = JSON.parse(body);
    return typeof email === "string" ? email.trim().toLowerCase().slice(0, 320) : null;
  } catch {
    return null;
  }
}

/** Returns the body of a sign-in with the fields of the page alone, without an address to go to afterwards. */
function adaptSignIn(body: string): string {
  try {
    const { email, password, oauth_query } = JSON.parse(body);
    return JSON.stringify({ email, password, oauth_query });
  } catch {
    return body; // better-auth says what is wrong
  }
}

/** Returns the body of a registration without limits on scopes. An app on a person's machine need not say that it is one. */
function adaptRegistration(body: string): string {
  try {
    const { scope: _, ...rest } = JSON.parse(body);
    const { redirect_uris: uris, application_type: type } = rest;
    const isNative = Array.isArray(uris) && uris.some((uri) => !String(uri).startsWith("https:"));
    return JSON.stringify(type === undefined && isNative ? { ...rest, application_type: "native" } : rest);
  } catch {
    return body; // better-auth says what is wrong
  }
}

/** Returns a document without the endpoints that are not served. */
export async function withoutUnservedEndpoints(response: Response): Promise<Response> {
  const fields = Object.entries((await response.json()) as object);
  const served = fields.filter(([name]) => !name.startsWith("introspection_"));
  return Response.json(Object.fromEntries(served), { headers: { "cache-control": "no-store" } });
}

const ADAPTED_BODIES: Readonly<Record<string, (body: string) => string>> = {
  [PASSWORD_ENDPOINT]: adaptSignIn,
  "/oauth2/register": adaptRegistration,
};
