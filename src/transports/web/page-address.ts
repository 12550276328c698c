import type { Context } from "hono";
import { CONFIRM_PATH } from "../../domain/trading/confirmation.ts";
import { isLocalHost } from "../../lib/local-host.ts";
import { ACCOUNT_PATH, PEOPLE_PATH } from "../connect.ts";
import { PAGE_PATHS } from "./dashboard.ts";

/** First parts of the paths of pages that a person may be led to after sign-in. */
const PAGES: ReadonlySet<string> = new Set(
  ["/", ACCOUNT_PATH, CONFIRM_PATH, PEOPLE_PATH, ...PAGE_PATHS].map((path) => path.split("/")[1]!),
);
const BASE = "http://server.invalid";

/**
 * Returns the page of this server that an address in a request leads to after sign-in, with its query; "/" for any other
 * address. Links that sign in are no such page: they would sign somebody else in.
 */
export function pageAfterSignIn(next: string | undefined): string {
  if (next === undefined || !/^\/(?!\/)[\x21-\x7e]*$/.test(next) || next.includes("\\")) return "/";
  const url = URL.canParse(next, BASE) ? new URL(next, BASE) : null;
  if (url === null || url.origin !== BASE || !PAGES.has(url.pathname.split("/")[1]!)) return "/";
  return url.pathname.startsWith("//") ? "/" : `${url.pathname}${url.search}`;
}

/** Returns the query of a page of sign-in, with `?`, if an app asks for access; else an empty text. */
export const askingQuery = (c: Context): string =>
  c.req.query("client_id") === undefined ? "" : new URL(c.req.url).search;

/** Address at which passkeys work for the browser of a page: this one, another, or none. */
export type PasskeyPlace =
  | { readonly kind: "here" }
  | { readonly kind: "there"; readonly address: string }
  | { readonly kind: "nowhere" };

/** Returns where passkeys work for a page: at the server's https name, or at localhost on its machine. */
export function passkeyPlace(publicUrl: string, page: URL): PasskeyPlace {
  const { hostname, protocol, origin } = new URL(publicUrl);
  const path = `${page.pathname}${page.search}`;
  if (isLocalHost(hostname)) {
    if (page.hostname === "localhost") return { kind: "here" };
    if (!isLocalHost(page.hostname)) return { kind: "nowhere" };
    const port = page.port === "" ? "" : `:${page.port}`;
    return { kind: "there", address: `http://localhost${port}${path}` };
  }
  // browsers keep passkeys for names, and only over https
  if (protocol !== "https:" || /^[\d.]+$|^\[/.test(hostname)) return { kind: "nowhere" };
  return page.hostname === hostname ? { kind: "here" } : { kind: "there", address: `${origin}${path}` };
}
