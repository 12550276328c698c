import { request } from "node:http";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** Sends a request with exactly this path and these headers, and follows no redirect. */
export const sendTo = (
  base: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object | string,
  method = body === undefined ? "GET" : "POST",
): Promise<Answer> =>
  new Promise((done, fail) => {
    const { host, hostname, port } = new URL(base);
    const isJson = typeof body === "object";
    const text = isJson ? JSON.stringify(body) : (body ?? "");
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: {
          host,
          "content-length": Buffer.byteLength(text),
          ...(isJson && { "content-type": "application/json" }),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          done({
            status: answer.statusCode!,
            headers: answer.headers as Record<string, string | undefined>,
            cookies: answer.headers["set-cookie"] ?? [],
            body: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    sent.on("error", fail);
    sent.end(text);
  });

const REDIRECT_URI = "http://localhost:47001/callback";

/** An app that signs in by the official client. */
export interface OAuthApp {
  readonly client: Client;
  /** Addresses that it sent its person to. */
  readonly opened: URL[];
  /** Method and path of each request that it sent. */
  readonly requests: string[];
  readonly tokens: () => { readonly access_token: string; readonly refresh_token?: string | undefined };
  readonly provider: OAuthClientProvider;
  /** Connects. Rejects with UnauthorizedError if its person must allow it first. */
  connect(): Promise<void>;
  /** Ends a sign-in with the address that its person was sent back to. */
  finish(address: string): Promise<void>;
}

/** Creates an app that connects to a server; `auto`: by its newest revision. */
export function oauthApp(url: string, name = "Test app", mode: "legacy" | "auto" = "legacy"): OAuthApp {
  const opened: URL[] = [];
  const requests: string[] = [];
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: name,
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (address) => void opened.push(address),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier as string,
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery as never,
  };
  const fetchCounted: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    requests.push(`${init?.method ?? "GET"} ${pathname}`);
    return fetch(input, init);
  };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  let transport: StreamableHTTPClientTransport;
  const open = () => {
    transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), {
      authProvider: provider,
      fetch: fetchCounted,
    });
    return client.connect(transport);
  };
  return {
    client,
    opened,
    requests,
    provider,
    tokens: () => kept.tokens as never,
    connect: open,
    async finish(address) {
      await transport.finishAuth(new URL(address).searchParams);
      if (client.transport === undefined) await open();
    },
  };
}

/**
 * Allows what an app asks for, as the browser of a person who is signed in. Returns the address that it sends its person
 * back to.
 */
export async function allowApp(base: string, cookie: string, address: string | URL): Promise<string> {
  const { pathname, search } = new URL(address);
  const asked = await sendTo(base, `${pathname}${search}`, { cookie, accept: "text/html" });
  const page = new URL(asked.headers.location ?? "", base);
  if (page.pathname !== "/consent") return page.href;
  const body = { accept: true, oauth_query: page.search.slice(1) };
  const sent = await sendTo(base, "/auth/oauth2/consent", { cookie, origin: base }, body);
  return JSON.parse(sent.body).url;
}

/** Returns whether an error says that the person must allow the app first. */
export const needsPerson = (error: unknown): boolean => error instanceof UnauthorizedError;
