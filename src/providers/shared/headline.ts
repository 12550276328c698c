import type { Headline } from "../../domain/news/news.ts";
import type { NewsProviderAnswer } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";

/** A headline as a vendor wrote it. */
export interface RawHeadline {
  readonly id: string | number | null | undefined;
  readonly title: string | null | undefined;
  readonly publisher: string | null | undefined;
  readonly url: string | null | undefined;
  /** Epoch ms; NaN for none. */
  readonly publishedAt: number;
  readonly tags: readonly string[];
}

const MAX_TITLE_LENGTH = 300;
const MAX_PUBLISHER_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;
const MAX_TAGS = 30;
const TAG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9.:=^-]{0,19}$/;
/** Before there was news of this kind: what is dated earlier has no date. */
const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * Outside text made fit to keep: control, bidi and format characters become spaces, lengths are capped, links are http or
 * https. Null where there is no title or no date.
 */
export function headlineFrom({ id, title, publisher, url, publishedAt, tags }: RawHeadline): Headline | null {
  const text = cleanText(title, MAX_TITLE_LENGTH);
  if (text === "" || !(publishedAt > EARLIEST && publishedAt < LATEST)) return null;
  const link = safeUrl(url);
  const by = cleanText(publisher, MAX_PUBLISHER_LENGTH);
  return {
    id: cleanText(
      id === null || id === undefined || id === "" ? (link ?? `${publishedAt} ${text}`) : String(id),
      MAX_TITLE_LENGTH,
    ),
    title: text,
    publisher: by === "" ? null : by,
    url: link,
    publishedAt: Math.floor(publishedAt),
    tags: [...new Set(tags.filter((tag) => TAG_PATTERN.test(tag)))].slice(0, MAX_TAGS),
  };
}

const cleanText = (text: string | null | undefined, limit: number): string =>
  plainText((text ?? "").slice(0, 4 * limit).normalize("NFC"), limit)
    .replace(/\s+/g, " ")
    .trim();

/** The link where it is one to a page on the web, without user and password; null for anything else. */
function safeUrl(url: string | null | undefined): string | null {
  if (!url || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return null;
  const { protocol, username, password, href, hostname } = new URL(url);
  const plain =
    (protocol === "https:" || protocol === "http:") && username + password === "" && hostname.includes(".");
  return plain ? href : null;
}

/**
 * The answer of a vendor: rows that are no headline are left out. Throws ProviderFailure "malformed" where there are rows and
 * none of them can be used. `whole` says that nothing is missing of what the vendor has of the window, `reaches` from when on
 * (epoch ms) it has any.
 */
export function newsFrom(
  rows: readonly RawHeadline[],
  { complete: whole, reaches }: { readonly complete: boolean; readonly reaches?: number },
): NewsProviderAnswer {
  const headlines = rows.flatMap((row) => headlineFrom(row) ?? []);
  if (rows.length > 0 && headlines.length === 0)
    throw new ProviderFailure("malformed", "rows without headlines");
  const oldest = Math.min(...headlines.map(({ publishedAt }) => publishedAt));
  return { headlines, completeFrom: whole || headlines.length === 0 ? (reaches ?? null) : oldest };
}

/** The tags with the vendor's name of the instrument written as ours. */
export const tagsFor = (tags: readonly string[], theirs: string, ours: string): readonly string[] =>
  tags.map((tag) => (tag.toUpperCase() === theirs.toUpperCase() ? ours : tag));
