import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://data.alpaca.markets";

export interface AlpacaSetup extends ProviderSetup {
  readonly key: string;
  readonly secret: string;
  /** Epoch ms, for what an account without a subscription may not ask for yet. */
  readonly now: () => number;
}

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
) => Promise<T>;

const Refusal = z.object({ message: z.string() });

/** Its market data, with the key in headers. A name it cannot read is refused with 400; one it does not list is left out. */
export function createClient({ key, secret, ...setup }: AlpacaSetup): ApiGet {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", "APCA-API-KEY-ID": key, "APCA-API-SECRET-KEY": secret },
  });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire.json(path, { query, signal, accept: [400] });
    const refusal = status === 400 ? Refusal.safeParse(body) : null;
    if (refusal?.success && /invalid symbol/i.test(refusal.data.message))
      throw new ProviderFailure("unknown_symbol", "it has no such symbol");
    const read = shape.safeParse(body);
    if (status !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}
