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
    return parseBody(shape, body, onUnreadable);
  };
}

/**
 * Parses a body; `onUnreadable` is called with the number of rows that `rowsOf` dropped.
 * @throws ProviderFailure "malformed" if the body does not match the schema
 */
export function parseBody<T>(
  shape: z.ZodType<T>,
  body: unknown,
  onUnreadable?: ProviderSetup["onUnreadable"],
): T {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new ProviderFailure("malformed", "unexpected response", { cause: parsed.error });
  const dropped = onUnreadable === undefined ? 0 : droppedRows(parsed.data);
  if (dropped > 0) onUnreadable?.(dropped);
  return parsed.data;
}

/** Returns the rows that have the expected shape; the others are dropped. */
export const readableRows = <T>(shape: z.ZodType<T>, rows: readonly unknown[]): readonly T[] =>
  rows.flatMap((row) => {
    const parsed = shape.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
