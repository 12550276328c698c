import type { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type ProviderSetup,
} from "./http-client.ts";
import { droppedRows } from "./rows.ts";

export interface ApiOptions extends Pick<HttpClientOptions, "headers" | "maxBytes" | "keyless"> {
  /** Default base URL; the setup may replace it. */
  readonly baseUrl: string;
  /** HTTP statuses other than 200 whose body is passed to `refusal`. */
  readonly accept?: readonly number[];
  /** Returns the kind of failure that a body reports; null for data. */
  readonly refusal?: (body: unknown, status: number) => FailureKind | null;
}

export type ApiRequest = Pick<HttpRequest, "query" | "signal" | "jsonBody" | "onHead">;

/** Requests a path and parses its JSON. Rejects only with ProviderFailure. */
export type ApiGet = <T>(path: string, shape: z.ZodType<T>, request: ApiRequest) => Promise<T>;

export function createApi(
  { fetch, baseUrl, onResponse, onUnreadable }: ProviderSetup,
  { accept = [], refusal = () => null, headers, ...options }: ApiOptions,
): ApiGet {
  const client = createHttpClient({
    ...options,
    fetch,
    baseUrl: baseUrl ?? options.baseUrl,
    headers: { accept: "application/json", ...headers },
    ...(onResponse && { onResponse }),
  });
  return async (path, shape, request) => {
    const { status, body } = await client.json(path, { ...request, accept });
    const kind = refusal(body, status);
    if (kind !== null) throw new ProviderFailure(kind, `refused with status ${status}`);
    if (status !== 200) throw new ProviderFailure("malformed", `status ${status}`);
    return readBody(shape, body, onUnreadable);
  };
}

/**
 * Parses a body in steps between which other events are handled; `onUnreadable` is called with the number of rows that
 * `rowsOf` dropped. Rejects with ProviderFailure "malformed" if the body does not match the schema.
 */
export async function readBody<T>(
  shape: z.ZodType<T>,
  body: unknown,
  onUnreadable?: ProviderSetup["onUnreadable"],
): Promise<T> {
  const parsed = await shape.safeParseAsync(body);
  if (!parsed.success) throw unexpected(parsed.error);
  const dropped = onUnreadable === undefined ? 0 : droppedRows(parsed.data);
  if (dropped > 0) onUnreadable?.(dropped);
  return parsed.data;
}

/**
 * Parses a short body, whose schema has no rows.
 * @throws ProviderFailure "malformed" if the body does not match the schema
 */
export function parseBody<T>(shape: z.ZodType<T>, body: unknown): T {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw unexpected(parsed.error);
  return parsed.data;
}

const unexpected = (cause: z.ZodError): ProviderFailure =>
  new ProviderFailure("malformed", "unexpected response", { cause });

/** Maximum number of rows that are read at once. */
const MAX_SHORT_ROWS = 10_000;

/**
 * Returns the rows of a short list that have the expected shape; the others are dropped.
 * @throws ProviderFailure "malformed" for more than 10,000 rows
 */
export function readableRows<T>(shape: z.ZodType<T>, rows: readonly unknown[]): readonly T[] {
  if (rows.length > MAX_SHORT_ROWS)
    throw new ProviderFailure("malformed", `a list of more than ${MAX_SHORT_ROWS} rows`);
  return rows.flatMap((row) => {
    const parsed = shape.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
