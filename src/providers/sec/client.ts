import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type HttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { Companies } from "./wire.ts";

const DATA_URL = "https://data.sec.gov";
const FILES_URL = "https://www.sec.gov";
/** A large company's facts take ten megabytes and more. */
const MAX_BYTES = 48 * 1024 * 1024;
const DAY = 86_400_000;

export interface SecSetup extends ProviderSetup {
  /** Who asks and where to reach them, `Company contact@example.com`: without it every call is refused. */
  readonly contact: string;
  /** Epoch ms. */
  readonly now: () => number;
}

export interface SecClient {
  /** The number under which a company files. ProviderFailure "unknown_symbol" where it files none. */
  numberOf(instrument: Instrument, signal: AbortSignal): Promise<number>;
  /** One document of a company; null where it has none. */
  read<T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T | null>;
}

/** EDGAR's public data. Tickers are read once a day. Rejects with ProviderFailure alone. */
export function createClient({ contact, now, ...setup }: SecSetup): SecClient {
  const headers = { "user-agent": contact, accept: "application/json" };
  const wireAt = (baseUrl: string): HttpClient =>
    createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? baseUrl, headers, maxBytes: MAX_BYTES });
  const [data, files] = [wireAt(DATA_URL), wireAt(FILES_URL)];
  let companies: { readonly at: number; readonly byTicker: ReadonlyMap<string, number> } | null = null;

  async function tickers(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    if (companies !== null && now() - companies.at < DAY) return companies.byTicker;
    const { body } = await files.json("/files/company_tickers.json", { signal });
    const read = Companies.safeParse(body);
    if (!read.success) throw new ProviderFailure("malformed", "no list of companies", { cause: read.error });
    const byTicker = new Map(Object.values(read.data).map((one) => [one.ticker, one.cik_str]));
    if (byTicker.size === 0) throw new ProviderFailure("malformed", "a list without companies");
    companies = { at: now(), byTicker };
    return byTicker;
  }

  return {
    async numberOf(instrument, signal) {
      const ticker = usTicker(instrument, "-");
      const number = (await tickers(signal)).get(ticker);
      if (number === undefined) throw new ProviderFailure("unknown_symbol", "no company files under it");
      return number;
    },
    async read(path, shape, signal) {
      const { status, body } = await data.text(path, { signal, accept: [404] });
      if (status === 404) return null;
      const read = shape.safeParse(parseJson(body));
      if (!read.success)
        throw new ProviderFailure("malformed", "another document than is known", { cause: read.error });
      return read.data;
    },
  };
}

/** The ten digits a company's documents are named by. */
export const digitsOf = (number: number): string => String(number).padStart(10, "0");

function parseJson(body: string): unknown {
  if (body.trimStart().startsWith("<")) throw new ProviderFailure("blocked", "a page instead of data");
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an answer that is not JSON", { cause });
  }
}
