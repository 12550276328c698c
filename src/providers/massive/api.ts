import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseBody } from "../shared/api.ts";
import {
  createHttpClient,
  type HttpRequest,
  type ProviderSetup,
  tryParseJson,
} from "../shared/http-client.ts";

const BASE_URL = "https://api.massive.com";

export interface MassiveSetup extends ProviderSetup {
  readonly key: string;
}

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
  });
  return async (path, shape, request) => {
    const { status, body } = await client.text(path, { ...request, accept: [403, 404] });
    if (/^\s*</.test(body)) throw new ProviderFailure("blocked", "HTML page instead of data");
    const json = tryParseJson(body);
    const { status: code, error, message } = Envelope.catch({}).parse(json);
    const text = error ?? message ?? "";
    if (code === "NOT_AUTHORIZED" || (status === 403 && /not entitled|your plan/i.test(text))) return null;
    if (status === 403) throw new ProviderFailure("auth", "status 403");
    if (status === 404 && code === "NOT_FOUND") throw new ProviderFailure("unknown_symbol", "no such symbol");
    if (code === "ERROR" && /maximum requests/i.test(text))
      throw new ProviderFailure("rate_limited", "too many calls");
    if (status !== 200 || (code !== "OK" && code !== "DELAYED"))
      throw new ProviderFailure("malformed", `status ${status}`);
    return parseBody(shape, json, setup.onUnreadable);
  };
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
