import { type Installation, install } from "../../support/installation.ts";
import { type Answer, sendTo } from "../../support/oauth-app.ts";
import { createPeople, createSignInClient } from "../../support/sign-in-client.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { ACCEPT, mcpCall } from "../proof-server.ts";

/** Address at which browsers and apps reach the server, behind a proxy. */
export const ORIGIN = "https://market.example";
const { host: HOST } = new URL(ORIGIN);
export const RESOURCE = `${ORIGIN}/api/mcp`;
export const ISSUER = `${ORIGIN}/auth`;
export {
  CALLBACK,
  type Connected,
  encoded,
  PASSWORD,
  type SignedIn,
  text,
} from "../../support/sign-in-client.ts";

type Headers = Readonly<Record<string, string>>;

/** A server with people and apps, each of whose requests comes from another address unless it says from where. */
export type SignInSite = ReturnType<typeof signInSiteOf>;

/** Settings of a server behind a proxy. */
export const BEHIND_PROXY = { PUBLIC_URL: ORIGIN, TRUST_PROXY: "1" } as const;

/** Opens a server behind a proxy. Default: with OAuth. */
export async function openSignInSite(env: Readonly<Record<string, string>> = {}) {
  const { dir, remove } = suiteDir();
  const installation = await install(dir, "sample", { OAUTH: "on", ...BEHIND_PROXY, ...env });
  const site = signInSiteOf(installation);
  return {
    ...site,
    async stop() {
      await installation.stop();
      remove();
    },
  };
}

/** Returns the people and apps of a server behind a proxy. */
export function signInSiteOf(site: Installation) {
  const errors: string[] = [];
  const { db } = site.app.store;
  let addresses = 0;
  const newAddress = () => {
    const n = ++addresses;
    return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  };

  async function send(
    path: string,
    headers: Headers = {},
    body?: object | string,
    method?: string,
  ): Promise<Answer> {
    const from = { host: HOST, "x-forwarded-for": newAddress(), ...headers };
    const answer = await sendTo(site.url, path, from, body, method);
    if (answer.status >= 500)
      errors.push(`${method ?? ""} ${path} is answered with ${answer.status}: ${answer.body}`);
    return answer;
  }
  const client = createSignInClient(send, ORIGIN);
  /** Calls a tool over MCP, or lists them. */
  function mcp(token: string, tool: string | null = null, input: object = {}): Promise<Answer> {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const body = tool === null ? list : (mcpCall(tool, { ...input }).body as object);
    return send("/api/mcp?toolsets=all", { ...ACCEPT, authorization: `Bearer ${token}` }, body);
  }

  return {
    ...site,
    ...client,
    ...createPeople(site, ORIGIN, client),
    db,
    errors,
    send,
    mcp,
  };
}
