import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { isWithin } from "../../lib/expiry.ts";
import { groupBy } from "../../lib/group-by.ts";
import { createApi, readableRows, readBody } from "../shared/api.ts";
import { createHttpClient, type ProviderSetup, parseJson } from "../shared/http-client.ts";
import { namedValues, rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { Cik, listOf, pageOf, TextColumn } from "./filing-lists.ts";

const Day = z.iso.date();

/** A page of filings, newest first. */
export const FilingPage = pageOf({
  form: TextColumn,
  items: TextColumn,
  filingDate: TextColumn,
  reportDate: TextColumn,
  /** See `acceptanceTimes` for their convention. */
  acceptanceDateTime: TextColumn,
  accessionNumber: TextColumn.optional(),
});
export type FilingPage = z.infer<typeof FilingPage>;
export const Submissions = listOf(FilingPage);
export type Submissions = z.infer<typeof Submissions>;

/** One figure of one filing. Its dates determine its quarter, because `fy` and `fp` describe the filing. */
export const Fact = z.object({
  start: Day.optional(),
  end: Day,
  val: z.number(),
  form: z.string().max(20),
  filed: Day,
});
export type Fact = z.infer<typeof Fact>;

/** Maximum number of facts of a tag in one unit; a company reports a few hundred. */
const MAX_FACTS = 20_000;
/** Maximum number of tags of a company, and of units of a tag. */
const MAX_TAGS = 10_000;
const MAX_UNITS = 100;
/** A list of facts that is read only where its tag is needed. */
const FactList = z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length <= MAX_FACTS);

export const CompanyFacts = z.object({
  cik: Cik,
  facts: z.object({
    "us-gaap": namedValues(MAX_TAGS)
      .pipe(
        z.record(
          z.string(),
          z.looseObject({ units: namedValues(MAX_UNITS).pipe(z.record(z.string(), FactList)) }),
        ),
      )
      .default({}),
  }),
});
export type CompanyFacts = z.infer<typeof CompanyFacts>;

/** Returns the facts of a tag in one unit; unreadable ones are dropped. */
export const factsOf = (facts: CompanyFacts, tag: string, unit: string): readonly Fact[] =>
  factRows(Fact, facts, tag, unit);

/** Returns the facts of a tag in one unit with the fields of `shape`; unreadable ones are dropped. */
export const factRows = <T extends Fact>(
  shape: z.ZodType<T>,
  { facts }: CompanyFacts,
  tag: string,
  unit: string,
): readonly T[] => readableRows(shape, facts["us-gaap"][tag]?.units[unit] ?? []);

const DATA_URL = "https://data.sec.gov";
const FILES_URL = "https://www.sec.gov";
/** Maximum size of a response; the facts of a large company take more than ten megabytes. */
const MAX_BYTES = 48 * 1024 * 1024;
const DAY = 86_400_000;

export interface SecSetup extends ProviderSetup {
  /** Name and email address of the caller, `Company contact@example.com`; without them, every call is refused. */
  readonly contact: string;
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

/** A document of a filing, by its file name. */
export interface FilingAddress {
  readonly cik: number;
  /** With hyphens. */
  readonly accession: string;
  readonly file: string;
}

export interface SecClient {
  /** Returns the CIK under which a company files. @throws ProviderFailure "unknown_symbol" if it files nothing */
  numberOf(instrument: Instrument, signal: AbortSignal): Promise<number>;
  /** Returns the tickers of all companies by CIK. */
  tickersOf(signal: AbortSignal): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Returns null if the document does not exist. */
  read<T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T | null>;
  /** Returns the text of a document of a filing; null if it does not exist. */
  document(filing: FilingAddress, signal: AbortSignal): Promise<string | null>;
}

/** Accession number of a filing, with hyphens. */
export const ACCESSION = /^\d{10}-\d\d-\d{6}$/;

/** Returns the path of a company's newest filings. */
export const filingsPath = (cik: number): string => `/submissions/CIK${digitsOf(cik)}.json`;

/** Returns a CIK with its ten digits. */
export const digitsOf = (cik: number): string => String(cik).padStart(10, "0");

/** All companies that file, keyed by a running number. */
const Companies = namedValues()
  .transform((companies) => Object.values(companies))
  .pipe(rowsOf(z.object({ cik_str: z.int().positive(), ticker: z.string().max(20) })));

/**
 * Creates a client of EDGAR's public data. The list of tickers is read once a day. Rejects only with ProviderFailure.
 */
export function createClient({ contact, now, ...setup }: SecSetup): SecClient {
  const headers = { "user-agent": contact };
  const getFile = createApi(setup, { baseUrl: FILES_URL, headers, maxBytes: MAX_BYTES });
  const archive = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? FILES_URL,
    headers,
    maxBytes: MAX_BYTES,
  });
  const data = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? DATA_URL,
    headers: { accept: "application/json", ...headers },
    maxBytes: MAX_BYTES,
  });
  let companies: { readonly at: number; readonly byTicker: ReadonlyMap<string, number> } | null = null;

  async function tickers(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    if (companies !== null && isWithin(companies.at, now(), DAY)) return companies.byTicker;
    const list = await getFile("/files/company_tickers.json", Companies, { signal });
    if (list.length === 0) throw new ProviderFailure("malformed", "a list without companies");
    companies = { at: now(), byTicker: new Map(list.map(({ ticker, cik_str }) => [ticker, cik_str])) };
    return companies.byTicker;
  }

  return {
    async numberOf(instrument, signal) {
      const number = (await tickers(signal)).get(usTicker(instrument, "-"));
      if (number === undefined) throw new ProviderFailure("unknown_symbol", "no filer has this ticker");
      return number;
    },
    async tickersOf(signal) {
      const groups = groupBy(await tickers(signal), ([, cik]) => cik);
      return new Map([...groups].map(([cik, rows]) => [cik, rows.map(([ticker]) => ticker)]));
    },
    async read(path, shape, signal) {
      const { status, body } = await data.text(path, { signal, accept: [404] });
      return status === 404 ? null : readBody(shape, await parseJson(body, MAX_BYTES));
    },
    async document({ cik, accession, file }, signal) {
      const path = `/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${file}`;
      const { status, body } = await archive.text(path, { signal, accept: [404] });
      return status === 404 ? null : body;
    },
  };
}
