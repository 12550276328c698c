import { plainText } from "../../lib/plain-text.ts";
import { decodeEntities } from "./xml.ts";

/** Named HTML entities that headlines and names contain, besides those of XML. */
const NAMED: Readonly<Record<string, string>> = {
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  hellip: "…",
  bull: "•",
  middot: "·",
  trade: "™",
  reg: "®",
  copy: "©",
  euro: "€",
  pound: "£",
  cent: "¢",
  deg: "°",
  frac12: "½",
  eacute: "é",
  egrave: "è",
  aacute: "á",
  agrave: "à",
  iacute: "í",
  oacute: "ó",
  uacute: "ú",
  uuml: "ü",
  ouml: "ö",
  auml: "ä",
  ntilde: "ñ",
  ccedil: "ç",
};

/**
 * Returns a provider's text for display on one line: HTML entities are decoded, then control, bidi and format
 * characters become spaces, and the length is limited. Providers escape texts once or twice, also in JSON.
 */
export function displayText(text: string, limit: number): string {
  const decoded = decodeEntities(decodeEntities(text.slice(0, 4 * limit))).replace(
    /&([a-z]{2,6}\d{0,2});/g,
    (entity, name: string) => (Object.hasOwn(NAMED, name) ? NAMED[name]! : entity),
  );
  return plainText(decoded.normalize("NFC"), limit).replace(/\s+/g, " ").trim();
}
