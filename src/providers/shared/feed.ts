import { ProviderFailure } from "../../domain/providers/price-provider.ts";

/** One item of a feed: the text of its plain elements by name, the first of each. */
export type FeedItem = ReadonlyMap<string, string>;

const MAX_ITEMS = 200;
const MAX_FIELD_LENGTH = 4_000;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Items of an RSS or Atom feed, 200 at most. A strict little reader of flat elements: it expands no entity but the five of
 * XML and numbers, and refuses documents that declare any. Nested elements are read as elements of the item.
 * An Atom link is its `href`. Throws ProviderFailure "blocked" for a page and "malformed" for what is no feed.
 */
export function parseFeed(xml: string): readonly FeedItem[] {
  const text = xml.replace(/^\uFEFF/, "").trimStart();
  if (/^<!doctype html|^<html/i.test(text)) throw new ProviderFailure("blocked", "a page instead of a feed");
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new ProviderFailure("malformed", "a feed that declares entities");
  const [, root] =
    /^(?:<\?xml[^>]*\?>)?\s*(?:<\?[^>]*\?>\s*|<!--[^>]*-->\s*)*<(rss|feed|rdf:RDF)[\s>]/.exec(text) ?? [];
  if (root === undefined || !text.trimEnd().endsWith(`</${root}>`))
    throw new ProviderFailure("malformed", "no feed, or half of one");
  const item = root === "feed" ? "entry" : "item";
  return splitItems(text, item).map(parseFields);
}

/** The insides of the items, in order. */
function splitItems(text: string, name: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; found.length < MAX_ITEMS; ) {
    const open = new RegExp(`<${name}(?:\\s[^<>]*)?>`, "g");
    open.lastIndex = at;
    const begun = open.exec(text);
    if (begun === null) break;
    const from = begun.index + begun[0].length;
    const end = text.indexOf(`</${name}>`, from);
    if (end === -1) throw new ProviderFailure("malformed", "an item without end");
    found.push(text.slice(from, end));
    at = end;
  }
  return found;
}

function parseFields(inside: string): FeedItem {
  const fields = new Map<string, string>();
  const element =
    /<([A-Za-z][\w:.-]{0,40})((?:\s[^<>]{0,2000})?)>(?:<!\[CDATA\[([\s\S]{0,20000}?)\]\]>|([^<]*))/g;
  for (const [, name = "", attributes = "", cdata, plain = ""] of inside.matchAll(element)) {
    const href = name === "link" ? /\shref="([^"<>]*)"/.exec(attributes)?.[1] : undefined;
    const value = cdata ?? decodeEntities(href ?? plain);
    if (!fields.has(name) && value.trim() !== "") fields.set(name, value.trim().slice(0, MAX_FIELD_LENGTH));
  }
  return fields;
}

/** Text with the five entities of XML and numbered characters; others stay as they are written. */
const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
        ? String.fromCodePoint(point)
        : "";
    },
  );
