import { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type ApiGet, readBody } from "../shared/api.ts";
import { createHttpClient, type ProviderSetup, tryParseJson } from "../shared/http-client.ts";

const BASE_URL = "https://api.tiingo.com";
const USED_UP = /run over your|request allocation/i;

export interface TiingoSetup extends ProviderSetup {
  readonly key: string;
}

const Detail = z.object({ detail: z.string() });

/**
 * Creates the client of the API, with the token in a header. Data are lists; errors are text, plain or in `detail`,
 * with any status.
 */
export function tiingoApi({ key, ...setup }: TiingoSetup): ApiGet {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", authorization: `Token ${key}` },
  });
  return async (path, shape, request) => {
    const { status, body } = await client.text(path, { ...request, accept: [403, 404] });
    const text = body.replace(/^\uFEFF/, "").trimStart();
    if (text.startsWith("<")) throw new ProviderFailure("blocked", "HTML page instead of data");
    const json = (await tryParseJson(text)) ?? text;
    const detail = Detail.safeParse(json).data?.detail;
    if (detail !== undefined || typeof json === "string") {
      const kind = detail === undefined ? kindOfText(status, text) : kindOfDetail(status, detail);
      throw new ProviderFailure(kind, "refused with an error message");
    }
    if (status !== 200) throw new ProviderFailure("malformed", `status ${status}`);
    return readBody(shape, json, setup.onUnreadable);
  };
}

/**
 * Returns the kind of failure. Errors about the limits of calls and symbols per hour, day and month may have status
 * 200.
 */
function kindOfDetail(status: number, detail: string): FailureKind {
  if (USED_UP.test(detail)) return "rate_limited";
  if (status === 404 || /not found/i.test(detail)) return "unknown_symbol";
  if (status !== 403) return "malformed";
  // an account may lack permission for single tickers
  return /token|credential/i.test(detail) ? "auth" : "unsupported";
}

const kindOfText = (status: number, text: string): FailureKind =>
  USED_UP.test(text) ? "rate_limited" : status === 403 ? "auth" : "malformed";
