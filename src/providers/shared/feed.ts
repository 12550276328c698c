import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { RawHeadline } from "./headline.ts";
import { parseZonedTime } from "./timestamps.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "./xml.ts";

/** Text of an item's elements by name; if a name is repeated, the first element counts. */
export type FeedItem = ReadonlyMap<string, string>;

/** An item with its elements, for names that are repeated. */
export interface FeedEntry {
  readonly fields: FeedItem;
  readonly element: XmlElement;
}

const MAX_ITEMS = 200;
const MAX_FIELD_LENGTH = 4_000;

/**
 * Parses an RSS or Atom feed into at most 200 items. Nested elements become fields of their item; the text of an Atom
 * link is its `href`.
 * @throws ProviderFailure "blocked" for an HTML page, "malformed" for anything else that is not a feed
 */
export const parseFeed = (xml: string): readonly FeedItem[] => parseEntries(xml).map(({ fields }) => fields);

/** Parses a feed like `parseFeed`, into items with their elements. */
export function parseEntries(xml: string): readonly FeedEntry[] {
  const root = parseXml(xml);
  const [rss] = childrenOf(root, "rss");
  const [atom] = childrenOf(root, "feed");
  const [rdf] = childrenOf(root, "rdf:RDF");
  if (rss === undefined && atom === undefined && rdf === undefined)
    throw new ProviderFailure("malformed", "a document that is not a feed");
  const channels = [...childrenOf(rss, "channel"), ...childrenOf(rdf, "channel")];
  const items = [
    ...childrenOf(atom, "entry"),
    ...childrenOf(rdf, "item"),
    ...channels.flatMap((channel) => childrenOf(channel, "item")),
  ];
  return items.slice(0, MAX_ITEMS).map((item) => {
    const fields = new Map<string, string>();
    addFields(item, fields);
    return { fields, element: item };
  });
}

/**
 * Returns the headlines of an RSS feed, read from the usual elements of its items; `other` adds tags and replaces other
 * fields.
 */
export const headlinesIn = (
  xml: string,
  other: (item: FeedItem) => Pick<RawHeadline, "tags"> & Partial<RawHeadline>,
): readonly RawHeadline[] => parseFeed(xml).map((item) => ({ ...headlineOf(item), ...other(item) }));

/** Returns the headline in the usual elements of an RSS item, without tags. */
export const headlineOf = (item: FeedItem): Omit<RawHeadline, "tags"> => ({
  id: item.get("guid"),
  title: item.get("title"),
  publisher: item.get("dc:creator"),
  url: item.get("link"),
  publishedAt: parseZonedTime(item.get("pubDate") ?? ""),
});

/** Adds the fields of an element; its direct children come before nested ones. */
function addFields(element: XmlElement, fields: Map<string, string>): void {
  const children = Object.keys(element).map((name) => ({ name, elements: childrenOf(element, name) }));
  for (const { name, elements } of children) {
    const value = elements.map((child) => textOf(child) || hrefOf(name, child)).find((text) => text !== "");
    if (value !== undefined && !fields.has(name)) fields.set(name, value.slice(0, MAX_FIELD_LENGTH));
  }
  for (const { elements } of children) for (const child of elements) addFields(child, fields);
}

function hrefOf(name: string, element: XmlElement): string {
  const href = element["@href"];
  return name === "link" && typeof href === "string" ? href.trim() : "";
}
