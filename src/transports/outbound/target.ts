import { ToolError } from "../../kernel/errors.ts";
import { parseAddress } from "./address.ts";
import type { AllowList } from "./allow-list.ts";

const MAX_URL_LENGTH = 2_048;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const MIN_UNPRIVILEGED_PORT = 1_024;
/** Names that are only known on a machine or a network, or to nobody. */
const LOCAL_HOST_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|test|example|invalid|onion|alt)$/;

/** Where a message is to go, as far as its text tells. */
export interface Target {
  readonly url: URL;
  /** As it is looked up, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether the host is an address, which nobody looks up. */
  readonly isIpAddress: boolean;
  /** Whether anybody between here and there could read along. */
  readonly isPlainHttp: boolean;
}

/** Reads the address of a receiver. INVALID_INPUT, saying why, for one that its text alone forbids. */
export function parseTarget(text: string, allow: AllowList): Target {
  if (text.length > MAX_URL_LENGTH) throw addressRefused(`has more than ${MAX_URL_LENGTH} characters`);
  if (!/^[!-~]+$/.test(text) || text.includes("\\"))
    throw addressRefused("has spaces, backslashes or characters that are not ASCII; percent-encode them");
  if (!URL.canParse(text)) throw addressRefused("is no URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw addressRefused("is neither https nor, where the owner allows the host, http");
  if (url.username !== "" || url.password !== "" || /^https?:\/*[^/?#]*@/i.test(text))
    throw addressRefused("has a user or a password in it");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "" || host.endsWith(".") || host.includes(".."))
    throw addressRefused("has no plain host name");
  const literal = parseAddress(host) !== null;
  if (literal ? !allow.hasAddress(host) : !allow.hasHost(host)) checkHost(host, literal);
  const open = url.protocol === "http:";
  const port = url.port === "" ? (open ? HTTP_PORT : HTTPS_PORT) : Number(url.port);
  const usual = port === HTTPS_PORT || (open && port === HTTP_PORT);
  if (!usual && port < MIN_UNPRIVILEGED_PORT)
    throw addressRefused(
      `names port ${port}; receivers are called at 443 or from ${MIN_UNPRIVILEGED_PORT} on`,
    );
  return { url, host, port, isIpAddress: literal, isPlainHttp: open };
}

/** What is said of an address that no message is sent to, and what to do. */
export const addressRefused = (why: string): ToolError =>
  new ToolError("INVALID_INPUT", `The address ${why}. No message is sent there.`, {
    hint: "Give an https address on the public internet. For one on a network of their own, the owner of the server sets WEBHOOK_ALLOW.",
  });

function checkHost(host: string, literal: boolean): void {
  if (literal || /^[\d.]+$/.test(host) || host.includes(":"))
    throw addressRefused("names a host by its number, which may be private, not by its name");
  if (!host.includes(".") || LOCAL_HOST_NAME.test(host))
    throw addressRefused("names a host of a local network");
}
