import { parseAccept } from "hono/utils/accept";

const rangesOf = (accept: string) => parseAccept(accept.toLowerCase());

/**
 * Returns the quality (0 to 1) of a media type in an Accept header, from the most specific range that matches. A lone
 * asterisk is read as any type. @see RFC 9110 12.5.1
 */
export function acceptQuality(accept: string | undefined, mime: string): number {
  if (accept === undefined) return 0;
  const ranges = rangesOf(accept);
  const [kind] = mime.split("/");
  for (const names of [[mime], [`${kind}/*`], ["*/*", "*"]]) {
    const found = ranges.find(({ type }) => names.includes(type));
    if (found !== undefined) return found.q;
  }
  return 0;
}

/** Returns true if an Accept header has the media type itself, with any quality. */
export const namesType = (accept: string, mime: string): boolean =>
  rangesOf(accept).some(({ type }) => type === mime);
