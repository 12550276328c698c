import type { Headline } from "../../domain/news/news.ts";
import type { NewsProviderAnswer } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { displayText } from "./display-text.ts";

export interface RawHeadline {
  readonly id: string | number | null | undefined;
  readonly title: string | null | undefined;
  readonly publisher: string | null | undefined;
  readonly url: string | null | undefined;
  /** Epoch ms; NaN without a date. */
  readonly publishedAt: number;
  readonly tags: readonly string[];
}

const MAX_TITLE_LENGTH = 300;
const MAX_PUBLISHER_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;
const MAX_TAGS = 30;
const TAG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9.:=^-]{0,19}$/;
/** Earliest valid date; dates out of range count as missing. */
const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * Sanitizes a headline: entities are decoded, control, bidi and format characters become spaces, lengths are limited,
 * and only http and https links remain. Returns null without a title or a date.
 */
export function headlineFrom({ id, title, publisher, url, publishedAt, tags }: RawHeadline): Headline | null {
  const text = displayText(title ?? "", MAX_TITLE_LENGTH);
  if (text === "" || !(publishedAt > EARLIEST && publishedAt < LATEST)) return null;
  const link = safeUrl(url);
  const by = displayText(publisher ?? "", MAX_PUBLISHER_LENGTH);
  return {
    id: displayText(
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

/** Returns an http or https link that has no user and password; null for anything else. */
function safeUrl(url: string | null | undefined): string | null {
  if (!url || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return null;
  const { protocol, username, password, href, hostname } = new URL(url);
  const plain =
    (protocol === "https:" || protocol === "http:") && username + password === "" && hostname.includes(".");
  return plain ? href : null;
}

/**
 * Returns the items about a symbol. @throws ProviderFailure "malformed" if there are items but none is about it
 */
export function itemsAbout<T>(
  symbol: string,
  items: readonly T[],
  symbolsOf: (item: T) => readonly string[],
): readonly T[] {
  const own = items.filter((item) => symbolsOf(item).includes(symbol));
  if (items.length > 0 && own.length === 0)
    throw new ProviderFailure("malformed", "response about another symbol");
  return own;
}

/**
 * Creates a provider's response. Rows without title or date are dropped. `complete`: no headline of the window is
 * missing. `reaches`: start of the provider's history, epoch ms.
 * @throws ProviderFailure "malformed" if there are rows but none is usable
 */
export function newsFrom(
  rows: readonly RawHeadline[],
  { complete, reaches }: { readonly complete: boolean; readonly reaches?: number },
): NewsProviderAnswer {
  const headlines = rows.flatMap((row) => headlineFrom(row) ?? []);
  if (rows.length > 0 && headlines.length === 0)
    throw new ProviderFailure("malformed", "rows without headlines");
  const oldest = Math.min(...headlines.map(({ publishedAt }) => publishedAt));
  return { headlines, completeFrom: complete || headlines.length === 0 ? (reaches ?? null) : oldest };
}

/** Returns the tags with the provider's name of the instrument replaced by its canonical symbol. */
export const tagsFor = (tags: readonly string[], theirs: string, ours: string): readonly string[] =>
  tags.map((tag) => (tag.toUpperCase() === theirs.toUpperCase() ? ours : tag));
