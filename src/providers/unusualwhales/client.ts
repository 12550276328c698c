import type { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.unusualwhales.com";

export interface UnusualWhalesSetup extends ProviderSetup {
  readonly key: string;
}

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
) => Promise<T>;

/** Its REST API, with the token in a header. A name or a date it cannot read is refused with 422. */
export function createClient({ key, ...setup }: UnusualWhalesSetup): ApiGet {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", authorization: `Bearer ${key}` },
  });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire.json(path, { query, signal, accept: [404, 422] });
    if (status === 404 || status === 422)
      throw new ProviderFailure("unknown_symbol", "it has no such symbol");
    const read = shape.safeParse(body);
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}
