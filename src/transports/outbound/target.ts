import { ToolError } from "../../kernel/errors.ts";
import { parseAddress } from "./address.ts";
import type { AllowList } from "./allow-list.ts";

const MAX_URL_LENGTH = 2_048;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const MIN_UNPRIVILEGED_PORT = 1_024;
/** Matches local and reserved host names. */
const LOCAL_HOST_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|test|example|invalid|onion|alt)$/;

/** Receiver of a message, from its URL. */
export interface Target {
  readonly url: URL;
  /** Host name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** True if the host is an IP address, which needs no lookup. */
  readonly isIpAddress: boolean;
  /** True for http, which is not encrypted. */
  readonly isPlainHttp: boolean;
}

/** Parses the URL of a receiver. Throws INVALID_INPUT with the reason if the URL is not allowed. */
export function parseTarget(text: string, allow: AllowList): Target {
  if (text.length > MAX_URL_LENGTH) throw addressRefused(`has more than ${MAX_URL_LENGTH} characters`);
  if (!/^[!-~]+$/.test(text) || text.includes("\\"))
    throw addressRefused("has spaces, backslashes or characters that are not ASCII; percent-encode them");
  if (!URL.canParse(text)) throw addressRefused("is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw addressRefused("uses neither https nor, for a host that the owner allows, http");
  if (url.username !== "" || url.password !== "" || /^https?:\/*[^/?#]*@/i.test(text))
    throw addressRefused("contains a user name or password");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "" || host.endsWith(".") || host.includes(".."))
    throw addressRefused("has an invalid host name");
  const isIpAddress = parseAddress(host) !== null;
  if (isIpAddress ? !allow.hasAddress(host) : !allow.hasHost(host)) checkHost(host, isIpAddress);
  const isPlainHttp = url.protocol === "http:";
  const port = url.port === "" ? (isPlainHttp ? HTTP_PORT : HTTPS_PORT) : Number(url.port);
  const isDefault = port === HTTPS_PORT || (isPlainHttp && port === HTTP_PORT);
  if (!isDefault && port < MIN_UNPRIVILEGED_PORT)
    throw addressRefused(`uses port ${port}; allowed are 443 and ${MIN_UNPRIVILEGED_PORT} or above`);
  return { url, host, port, isIpAddress, isPlainHttp };
}

/** Returns the error for a URL that is not allowed. */
export const addressRefused = (why: string): ToolError =>
  new ToolError("INVALID_INPUT", `The address ${why}. No message is sent there.`, {
    hint: "Use an https URL on the public internet. For a URL on a private network, the owner of the server sets WEBHOOK_ALLOW.",
  });

function checkHost(host: string, isIpAddress: boolean): void {
  if (isIpAddress || /^[\d.]+$/.test(host) || host.includes(":"))
    throw addressRefused("has an IP address, which may be private, instead of a host name");
  if (!host.includes(".") || LOCAL_HOST_NAME.test(host))
    throw addressRefused("has a host name of a local network");
}
