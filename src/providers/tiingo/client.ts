import { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.tiingo.com";

export interface TiingoSetup extends ProviderSetup {
  readonly key: string;
}

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<T>;

/** Its API, with the token in a header. Good answers are lists; what it has to say instead is text, at any status. */
export function createClient({ key, ...setup }: TiingoSetup): ApiGet {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", authorization: `Token ${key}` },
  });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire.text(path, { query, signal, accept: [403, 404] });
    const text = body.replace(/^\uFEFF/, "").trimStart();
    if (text.startsWith("<")) throw new ProviderFailure("blocked", "a page instead of data");
    const answer = parseJsonOrText(text);
    const said = Detail.safeParse(answer);
    if (said.success || typeof answer === "string") {
      const kind = said.success ? kindOf(status, said.data.detail) : kindOfText(status, text);
      throw new ProviderFailure(kind, "it says why it gives no data");
    }
    const read = shape.safeParse(answer);
    if (status !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}

const Detail = z.object({ detail: z.string() });

/** JSON as what it says; other text, which may say that calls are used up, as itself. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What its words mean: by the hour, the day and the month it limits calls and symbols, also at status 200. */
function kindOf(status: number, words: string): FailureKind {
  if (USED_UP.test(words)) return "rate_limited";
  if (status === 404 || /not found/i.test(words)) return "unknown_symbol";
  if (status !== 403) return "malformed";
  // one ticker may be outside of what an account may see
  return /token|credential/i.test(words) ? "auth" : "unsupported";
}

const kindOfText = (status: number, words: string): FailureKind =>
  USED_UP.test(words) ? "rate_limited" : status === 403 ? "auth" : "malformed";

const USED_UP = /run over your|request allocation/i;
