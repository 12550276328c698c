import { plainText } from "../../lib/plain-text.ts";

const MAX_TEXT = 40;

/** Names of browsers by what their own text contains; the first that matches, as most also name others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:\bChrom(?:e|ium)|\bCriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns the browser that a User-Agent header names, such as "Firefox on Linux". It is not verified. */
export function browserText(userAgent: string | null): string {
  if (userAgent === null) return "Unknown browser";
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return plainText(userAgent, MAX_TEXT) || "Unknown browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
