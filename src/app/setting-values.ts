import { resolve } from "node:path";
import { z } from "zod";
import { isLocalHost } from "../lib/local-host.ts";

export const HIDDEN = { hidden: true };
export const PATH = { path: true };
const PORTS = "must be a port number, 0 to 65535";
export const THREADS = "must be a number of threads, 0 to 64";
const CACHE_MEGABYTES = "must be a whole number from 8 to 4096";
/** Memory of the caches in megabytes. */
export const cacheMegabytes = z.coerce
  .number(CACHE_MEGABYTES)
  .int(CACHE_MEGABYTES)
  .min(8, CACHE_MEGABYTES)
  .max(4096, CACHE_MEGABYTES)
  .default(48)
  .describe("Memory in megabytes that all caches of the server may take together, 8 to 4096");
export const flag = z
  .enum(["0", "1", "true", "false"], "must be 1 or 0")
  .transform((text) => text === "1" || text === "true");

export const list = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
export const lowerCaseList = (text: string): readonly string[] => list(text.toLowerCase());
export const port = z.coerce.number(PORTS).int(PORTS).min(0, PORTS).max(65_535, PORTS);

/** Returns true for an origin as browsers send it: scheme, host and a port that is not the default of the scheme. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@*\s]+$/.test(text) || !URL.canParse(text)) return false;
  return !/^https?:/.test(text) || new URL(text).origin === text;
}
/** Origins of pages, or `*` for all. */
export const origins = z
  .string()
  .transform(list)
  .refine(
    (names) => names.every(isOrigin) || (names.length === 1 && names[0] === "*"),
    "must be origins such as https://app.example.com, without a path and separated by commas, or * for all",
  )
  .default([]);
/** What an address of PostgreSQL looks like, in messages. */
export const POSTGRES_FORM =
  "an address such as postgres://user:password@host:5432/market_signal, with # / ? and @ of the password as %23 %2F %3F and %40";
/** Returns true for the address of a database of PostgreSQL, in which no part of a password is taken for another part. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { host, pathname, hash } = new URL(text);
  return host !== "" && /^\/[^/@]+$/.test(pathname) && hash === "";
}
/** Joins names in a sentence: `a, b or c`. */
export const orList = (names: readonly string[], separator = ", "): string =>
  [names.slice(0, -1).join(separator), names.at(-1)].filter((part) => part !== "").join(" or ");
/** One of these names, in any case. Default: the first. */
export const oneOf = <const T extends string>(names: readonly T[], fallback: NoInfer<T> = names[0]!) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(names, `must be ${orList(names)}`))
    .default(fallback);
export const secret = z
  .string()
  .trim()
  .min(8, "must be at least 8 characters")
  .regex(/^[!-~]*$/, "must be printable ASCII without spaces")
  .optional()
  .meta(HIDDEN);

/** Sent to the SEC with every request, as it requires. */
export const contact = z
  .string()
  .trim()
  .max(120)
  .regex(/^[ -~]+ [!-~]+@[!-~]+\.[!-~]+$/, "must be a name and an address: Company name@example.com")
  .optional()
  .meta(HIDDEN);

/** Returns false for a URL with user, password, query or fragment, whose value must not be shown. */
function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return true; // reported by z.url already
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "" && !/[?#]/.test(text);
}
/** Returns true for https and for this machine, where no third party can read the keys that are sent. */
export function isPrivateConnection(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLocalHost(hostname);
}
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
export const plainUrl = httpUrl.refine(
  isPlain,
  "must not contain user, password, query or fragment: keys have their own settings",
);

/** Settings of the log. */
export const LOG_SETTINGS = {
  LOG_LEVEL: z
    .enum(["silent", "error", "warn", "info", "debug"], "must be silent, error, warn, info or debug")
    .default("info")
    .describe("Minimum level of the log lines: silent, error, warn, info or debug"),
  LOG_FORMAT: oneOf(["auto", "text", "json"]).describe(
    "Format of the log lines: auto (text on a terminal, JSON elsewhere), text or json",
  ),
  LOG_FILE: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .meta(PATH)
    .describe("File to which log lines are appended, readable only by its owner. Default: stderr"),
  OTEL_EXPORTER_OTLP_ENDPOINT: plainUrl
    .optional()
    .describe(
      "Receiver of OpenTelemetry traces over HTTP, such as http://127.0.0.1:4318. Default: nothing is traced",
    ),
};

/** URL of an external issuer, as it calls itself. */
export const issuerUrl = plainUrl.refine(
  isPrivateConnection,
  "must be an https URL; http works on this machine only",
);

/** Returns true if a setting has a value; a blank one counts as absent. */
export const isPresent = (text: string | undefined): boolean => text !== undefined && text.trim() !== "";
