import { XMLParser, XMLValidator } from "fast-xml-parser";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";

/** An element: child elements by name, attributes as `@name`, text as `#text`. */
export interface XmlElement {
  readonly [name: string]: string | readonly XmlElement[];
}

const MAX_DEPTH = 16;
/** Maximum size of a document, characters, and of its number of tags; more takes more than 150 ms. */
const MAX_LENGTH = 3_000_000;
const MAX_TAGS = 100_000;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes the five predefined XML entities and numeric character references; other entities stay unchanged. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? entity;
      const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
      return isCharacter ? String.fromCodePoint(point) : "";
    },
  );

const ignore = () => undefined;
const parser = new XMLParser({
  // the parser's own decoder either leaves numeric character references undecoded or also decodes all HTML entities
  entityDecoder: {
    decode: decodeEntities,
    addInputEntities: ignore,
    reset: ignore,
    setExternalEntities: ignore,
    setXmlVersion: ignore,
  },
  attributeNamePrefix: "@",
  alwaysCreateTextNode: true,
  ignoreAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  maxNestedTags: MAX_DEPTH,
  parseAttributeValue: false,
  parseTagValue: false,
});

/**
 * Parses a document into its root elements by name. Decodes only predefined entities and character codes.
 * @throws ProviderFailure "blocked" for an HTML page, "malformed" for XML that is not well-formed, declares
 * entities, nests deeper than 16, or is too large
 */
export function parseXml(xml: string): XmlElement {
  if (xml.length > MAX_LENGTH || hasMoreTags(xml))
    throw new ProviderFailure("malformed", "XML that is too large");
  const text = xml.replace(/^\uFEFF/, "").trim();
  if (/^<(?:!doctype )?html/i.test(text)) throw new ProviderFailure("blocked", "HTML page instead of data");
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new ProviderFailure("malformed", "a document with a DOCTYPE or entity declaration");
  try {
    if (XMLValidator.validate(text) !== true) throw new Error("not well-formed");
    return parser.parse(text) as XmlElement;
  } catch (cause) {
    throw new ProviderFailure("malformed", "XML that is cut off or not well-formed", { cause });
  }
}

function hasMoreTags(xml: string): boolean {
  let tags = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at + 1))
    if (++tags > MAX_TAGS) return true;
  return false;
}

/** Returns the child elements with this name, in document order; empty if there are none. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  const children = element?.[name];
  return children === undefined || typeof children === "string" ? [] : children;
}

/** Returns the trimmed text of an element; empty if it has none. */
export function textOf(element: XmlElement | undefined): string {
  const text = element?.["#text"];
  return typeof text === "string" ? text.trim() : "";
}
