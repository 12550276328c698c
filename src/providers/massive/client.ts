import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.massive.com";

export interface MassiveSetup extends ProviderSetup {
  readonly key: string;
}

export interface ApiRequest<T> {
  readonly path: string;
  readonly shape: z.ZodType<T>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

/** Asks a question; null for what the plan of the account does not include. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(question: ApiRequest<T>) => Promise<T | null>;

/** Its REST API, with the key in a header. Every answer has a status of its own, and refusals have words. */
export function createClient({ key, ...setup }: MassiveSetup): ApiGet {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", authorization: `Bearer ${key}` },
  });
  return async ({ path, shape, query = {}, signal }) => {
    const { status, body } = await wire.text(path, { query, signal, accept: [403, 404] });
    if (/^\s*</.test(body)) throw new ProviderFailure("blocked", "a page instead of data");
    const answer = parseJson(body);
    const { status: said, error, message } = Envelope.catch({}).parse(answer);
    const words = error ?? message ?? "";
    if (said === "NOT_AUTHORIZED" || (status === 403 && /not entitled|your plan/i.test(words))) return null;
    if (status === 403) throw new ProviderFailure("auth", "status 403");
    if (status === 404 && said === "NOT_FOUND")
      throw new ProviderFailure("unknown_symbol", "it has no such symbol");
    if (said === "ERROR" && /maximum requests/i.test(words))
      throw new ProviderFailure("rate_limited", "too many calls, it says");
    const read = shape.safeParse(answer);
    if (status !== 200 || !read.success || (said !== "OK" && said !== "DELAYED"))
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}

const Envelope = z.object({
  status: z.string().nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
});

/** The value of JSON; undefined for what is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
