import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { readableRows } from "../shared/api.ts";

const DAY = 86_400_000;
/** Age up to which filings are searched in older pages, ms: five quarterly reports. */
const REACH_MS = 400 * DAY;
/** Maximum number of older pages per list and request: each has up to thousands of filings. */
const MAX_OLDER_PAGES = 4;

/** Maximum number of filings of a page, and of older pages of a list. */
const MAX_FILINGS = 60_000;
const MAX_PAGES = 1_000;

/** A column of texts. Checked without a schema of its cells, which would make an issue of each wrong one. */
export const TextColumn = z.custom<readonly string[]>(
  (value) =>
    Array.isArray(value) &&
    value.length <= MAX_FILINGS &&
    value.every((cell: unknown) => typeof cell === "string"),
);

export const Cik = z.union([z.string(), z.number()]).transform(Number);

/** An older page of a list, by its file name, with the days of its oldest and newest filing. */
const OlderPage = z.object({
  name: z.string().regex(/^CIK\d{10}-submissions-\d{3}\.json$/),
  filingFrom: z.iso.date(),
  filingTo: z.iso.date(),
});
type OlderPage = z.infer<typeof OlderPage>;

/** Returns the schema of a page of filings: columns of equal length, newest filing first. */
export const pageOf = <C extends z.ZodRawShape>(columns: C) =>
  z.object(columns).refine((page) => {
    const lengths = Object.values(page).flatMap((column) => (Array.isArray(column) ? [column.length] : []));
    return new Set(lengths).size === 1;
  });

/** Returns the schema of a company's list of filings: its newest page and the names of the older ones. */
export const listOf = <P>(page: z.ZodType<P>) =>
  z.object({
    cik: Cik,
    filings: z.object({
      recent: page,
      files: z
        .array(z.unknown())
        .max(MAX_PAGES, { abort: true })
        .default([])
        .transform((files) => readableRows(OlderPage, files)),
    }),
  });

export interface FilingList<P> {
  readonly cik: number;
  readonly filings: { readonly recent: P; readonly files: readonly OlderPage[] };
}

interface PagesRequest<P> {
  readonly list: FilingList<P>;
  readonly page: z.ZodType<P>;
  /** Time of the newest filing of interest, epoch ms. Default: that of the newest filing. */
  readonly until?: number;
  readonly isEnough: (pages: readonly P[]) => boolean;
  readonly signal: AbortSignal;
}

/** Reads a page by its path; null if it does not exist. */
type ReadPage = <T>(path: string, shape: z.ZodType<T>, signal: AbortSignal) => Promise<T | null>;

/**
 * Returns the newest page of a list and, until there are enough filings or the pages reach 400 days back, older ones:
 * the newest page of a bank covers a month. `unread` is the newest day of filings that were not read; null if all older
 * filings of interest were.
 */
export async function readPages<P extends { readonly filingDate: readonly string[] }>(
  read: ReadPage,
  { list, page, until = Number.POSITIVE_INFINITY, isEnough, signal }: PagesRequest<P>,
): Promise<{ readonly pages: readonly P[]; readonly unread: string | null }> {
  const { recent, files } = list.filings;
  const older = files
    .filter(({ filingFrom }) => Date.parse(filingFrom) <= until)
    .sort((a, b) => (a.filingTo < b.filingTo ? 1 : -1));
  const newest = Math.min(until, Date.parse(recent.filingDate[0] ?? older[0]?.filingTo ?? ""));
  const pages = [recent];
  for (const [index, { name, filingTo }] of older.entries()) {
    const reached = Date.parse(pages.at(-1)!.filingDate.at(-1) ?? "");
    if (isEnough(pages) || reached < newest - REACH_MS || index === MAX_OLDER_PAGES)
      return { pages, unread: filingTo };
    const found = await orNull(read(`/submissions/${name}`, page, signal), signal);
    if (found === null) return { pages, unread: filingTo };
    pages.push(found);
  }
  return { pages, unread: null };
}

/** Returns null in place of a failure of the provider, for a request whose answer is not required. */
export async function orNull<T>(request: Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  try {
    return await request;
  } catch (cause) {
    if (cause instanceof ProviderFailure && !signal.aborted) return null;
    throw cause;
  }
}
