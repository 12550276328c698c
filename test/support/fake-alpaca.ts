import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AlpacaAccount,
  type AlpacaAccountOptions,
  AlpacaError,
  type AlpacaOrderRequest,
} from "./fake-alpaca-account.ts";

/** Fault of the next order; `after`: the order is accepted first. */
export type Fault =
  | "reset"
  | "reset after"
  | "500"
  | "500 after"
  | "422 after"
  | "garbage after"
  | "hang after"
  | "page"
  | "redirect"
  | "429";

/** A response that replaces the normal one. */
interface FixedResponse {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

interface RecordedCall {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface FakeAlpaca {
  readonly url: string;
  /** Setting that replaces Alpaca's address. */
  readonly env: Readonly<Record<"PROVIDER_URL_ALPACA_TRADING", string>>;
  readonly account: AlpacaAccount;
  calls(): readonly RecordedCall[];
  /** Faults of the next orders, in order. */
  faults(...next: readonly Fault[]): void;
  /** Sets the response to every request; null restores normal responses. */
  respondWith(answer: FixedResponse | ((call: RecordedCall) => FixedResponse) | null): void;
  close(): Promise<void>;
}

export interface FakeAlpacaOptions extends AlpacaAccountOptions {
  readonly key?: string;
  readonly secret?: string;
}

export const FAKE_ALPACA_KEY = {
  api_key: "PKFAKEALPACA00000",
  api_secret: "fake-secret-7f3a",
} as const;

/** Serves one account like Alpaca's trading API on a local port. */
export async function startFakeAlpaca(options: FakeAlpacaOptions): Promise<FakeAlpaca> {
  const { key = FAKE_ALPACA_KEY.api_key, secret = FAKE_ALPACA_KEY.api_secret } = options;
  const account = new AlpacaAccount(options);
  const calls: RecordedCall[] = [];
  const faults: Fault[] = [];
  let fixed: Parameters<FakeAlpaca["respondWith"]>[0] = null;

  function answer({ method, path, headers, body }: RecordedCall): { status: number; body: unknown } {
    if (headers["apca-api-key-id"] !== key || headers["apca-api-secret-key"] !== secret)
      return { status: 401, body: { code: 40110000, message: "unauthorized." } };
    const { pathname, searchParams: query } = new URL(path, "http://alpaca.test");
    account.settle();
    const id = /^\/v2\/orders\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
    if (method === "POST" && pathname === "/v2/orders")
      return { status: 200, body: account.send(JSON.parse(body) as AlpacaOrderRequest) };
    if (method === "DELETE" && id !== undefined) {
      account.cancel(id);
      return { status: 204, body: undefined };
    }
    if (method !== "GET") return { status: 405, body: { code: 40510000, message: "method not allowed" } };
    if (pathname === "/v2/account") return { status: 200, body: account.account() };
    if (pathname === "/v2/positions") return { status: 200, body: account.positions() };
    if (pathname === "/v2/orders") return { status: 200, body: account.list(query) };
    if (pathname === "/v2/orders:by_client_order_id")
      return { status: 200, body: account.byClientId(query.get("client_order_id") ?? "") };
    return { status: 404, body: { code: 40410000, message: "endpoint not found" } };
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { method = "", url = "", headers } = request;
    const call: RecordedCall = { method, path: url, headers, body };
    calls.push(call);
    const say = ({ status, body: text, type = "application/json" }: FixedResponse, more = {}) =>
      response.writeHead(status, { "content-type": type, ...more }).end(text);
    if (fixed !== null) return say(typeof fixed === "function" ? fixed(call) : fixed);
    const fault = method === "POST" ? faults.shift() : undefined;
    let own: FixedResponse;
    try {
      if (fault !== undefined && !fault.endsWith("after")) return spoil(fault);
      const { status, body: content } = answer(call);
      own = { status, body: content === undefined ? "" : JSON.stringify(content) };
    } catch (cause) {
      if (!(cause instanceof AlpacaError)) throw cause;
      own = { status: cause.status, body: JSON.stringify(cause.body) };
    }
    if (fault === undefined) return say(own);
    return spoil(fault);

    function spoil(what: Fault): unknown {
      if (what.startsWith("reset")) return request.socket.resetAndDestroy();
      if (what === "hang after") return undefined;
      if (what.startsWith("500")) return say({ status: 500, body: '{"message":"Internal Server Error"}' });
      if (what === "422 after")
        return say({ status: 422, body: '{"code":42210000,"message":"the order could not be accepted"}' });
      if (what === "garbage after") return say({ status: 200, body: '{"id":"' });
      if (what === "page") return say({ status: 403, body: "<html>403 Forbidden</html>", type: "text/html" });
      if (what === "redirect") return say({ status: 307, body: "" }, { location: "/v2/orders" });
      return say({ status: 429, body: '{"message":"too many requests."}' }, { "retry-after": "1" });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: { PROVIDER_URL_ALPACA_TRADING: url },
    account: account,
    calls: () => [...calls],
    faults: (...next) => void faults.push(...next),
    respondWith(answer) {
      fixed = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
