import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { readBody } from "../shared/api.ts";
import {
  createHttpClient,
  type HttpRequest,
  type ProviderSetup,
  tryParseJson,
} from "../shared/http-client.ts";

const BASE_URL = "https://api.massive.com";
/** Maximum size of a response; a page of 50,000 trades takes more than four megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface MassiveSetup extends ProviderSetup {
  readonly key: string;
  /** Plan of the account. Default: free. */
  readonly plan?: MassivePlan;
}

export type MassivePlan = "free" | "starter" | "developer" | "advanced";

/**
 * Requests a path. Returns null for data that the account's plan does not include. Rejects only with ProviderFailure.
 */
export type MassiveGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  request: Pick<HttpRequest, "query" | "signal">,
) => Promise<T | null>;

const Envelope = z.object({
  status: z.string().nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
});

/** Creates the client of the REST API, with the key in a header. Every response body has its own status. */
export function massiveApi({ key, ...setup }: MassiveSetup): MassiveGet {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", authorization: `Bearer ${key}` },
    maxBytes: MAX_BYTES,
  });
  return async (path, shape, request) => {
    const { status, body } = await client.text(path, { ...request, accept: [403, 404] });
    if (/^\s*</.test(body)) throw new ProviderFailure("blocked", "HTML page instead of data");
    const json = await tryParseJson(body, MAX_BYTES);
    const { status: code, error, message } = Envelope.catch({}).parse(json);
    const text = error ?? message ?? "";
    if (code === "NOT_AUTHORIZED" || (status === 403 && /not entitled|your plan/i.test(text))) return null;
    if (status === 403) throw new ProviderFailure("auth", "status 403");
    if (status === 404 && code === "NOT_FOUND") throw new ProviderFailure("unknown_symbol", "no such symbol");
    if (code === "ERROR" && /maximum requests/i.test(text))
      throw new ProviderFailure("rate_limited", "too many calls");
    if (status !== 200 || (code !== "OK" && code !== "DELAYED"))
      throw new ProviderFailure("malformed", `status ${status}`);
    return readBody(shape, json, setup.onUnreadable);
  };
}

/** Epoch nanoseconds, rounded by JSON to some hundred nanoseconds. */
export const Nanoseconds = z.number().positive().max(8.64e21);

/** Returns the cursor of the next page. The rest of its URL is ignored, so that the key is not sent elsewhere. */
export function cursorOf(nextUrl: string): string {
  const cursor = URL.canParse(nextUrl) ? new URL(nextUrl).searchParams.get("cursor") : null;
  if (cursor === null) throw new ProviderFailure("malformed", "a next page without a cursor");
  return cursor;
}

/** Returns the data. @throws ProviderFailure "unsupported" for null, which means that the plan does not include it */
export function requireInPlan<T>(data: T | null): T {
  if (data === null) throw new ProviderFailure("unsupported", "not included in the account's plan");
  return data;
}

/** Wraps a request. After a response that the plan does not include the data, all later requests fail without a call. */
export function untilNotInPlan<T, A extends readonly unknown[]>(
  request: (...args: A) => Promise<T | null>,
): (...args: A) => Promise<T> {
  let included = true;
  return async (...args) => {
    const data = included ? await request(...args) : null;
    included = data !== null;
    return requireInPlan(data);
  };
}
