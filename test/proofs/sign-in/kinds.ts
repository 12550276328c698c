import type { Tool } from "../../../src/kernel/tool.ts";
import type { Answer } from "../../support/oauth-app.ts";
import { ORIGIN } from "./site.ts";

/** An attempt to get in. Returns null if it was refused on its merits, "limited" at a limit, else what it got. */
export type Attempt = (n: number) => Promise<string | null>;

/** One kind of attempts. */
export interface Kind {
  readonly name: string;
  /** Attempts in a full run. */
  readonly attempts: number;
  readonly attempt: Attempt;
}
/** Kinds that share a control: proof that the right credential still opens what the attempts did not. */
export interface Group {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Returns what is wrong; null if the right one gets in. */
  control(): Promise<string | null>;
  /** Ends what the group opened. Returns the failures of its server. */
  close?(): Promise<readonly string[]>;
}

export const LIMITED = "limited";

/** Judges an answer: refused with one of these statuses, and no cookie of a session. */
export function refusedWith(answer: Answer, statuses: readonly number[]): string | null {
  if (answer.status === 429) return LIMITED;
  const isSignedIn = answer.cookies.some((cookie) => /^market_signal_session=[^;]/.test(cookie));
  if (statuses.includes(answer.status) && !isSignedIn) return null;
  return `${answer.status} ${answer.headers.location ?? ""} ${isSignedIn ? "with a session" : ""} ${answer.body.slice(0, 300)}`;
}

/** Returns the input of a tool's first example. */
export const exampleOf = ({ examples }: Tool) => examples[0]!.input as Readonly<Record<string, unknown>>;

/** Judges a call of a tool that its caller may not run. */
export function refusedTool({ status, body }: Parameters<typeof refusedWith>[0]): string | null {
  if (status === 429 || body.includes("RATE_LIMITED")) return LIMITED;
  if (status === 403 && body.includes("was not allowed")) return null;
  return status === 200 && body.includes("SCOPE_REQUIRED") ? null : `${status} ${body.slice(0, 300)}`;
}

/** Returns a JWT with these parts and this signature. */
export const jwtOf = (header: object, claims: object, signature = ""): string =>
  [
    ...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")),
    signature,
  ].join(".");

/** Headers of requests that pages elsewhere send. */
export const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  {},
  { origin: "null" },
  { origin: "https://evil.example" },
  { origin: `${ORIGIN}.evil.example` },
  { origin: `${ORIGIN}@evil.example` },
  { origin: `${ORIGIN}:8443` },
  { origin: `https://evil.example/${ORIGIN}` },
  { origin: ORIGIN, "sec-fetch-site": "cross-site" },
  { origin: ORIGIN, "sec-fetch-site": "same-site" },
];

/** Where an answer sends a browser. */
export const locationOf = ({ headers }: Answer): URL => new URL(headers.location ?? "", ORIGIN);

const ADDRESS = /\b(?:href|action|formaction|src|data-(?:next|go|send))="([^"]*)"|;\s*url=([^"]*)"/gi;

/** Returns the addresses of a page, its links, forms and scripts, that are not of this server. */
export const foreignAddresses = (page: string): readonly string[] =>
  [...page.matchAll(ADDRESS)]
    .map(([, address, refresh]) => (address ?? refresh ?? "").replaceAll("&amp;", "&"))
    .filter((address) => new URL(address, ORIGIN).origin !== ORIGIN);

/** Judges an answer that may send a browser to pages of the server only. */
export function staysHere(answer: Answer): string | null {
  if (answer.status === 429) return LIMITED;
  const { origin } = locationOf(answer);
  return origin === ORIGIN && ![200, 201].includes(answer.status)
    ? null
    : `${answer.status} to ${answer.headers.location}`;
}
