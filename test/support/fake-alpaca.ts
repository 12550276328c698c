import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AlpacaAccount,
  type AlpacaAccountOptions,
  AlpacaError,
  type AlpacaOrderRequest,
} from "./fake-alpaca-account.ts";

/** What becomes of the next order that is sent: `after` says that it is taken all the same. */
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

/** An answer in the place of its own. */
interface Told {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

interface Heard {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface FakeAlpaca {
  readonly url: string;
  /** The setting that puts it in the place of Alpaca. */
  readonly env: Readonly<Record<"PROVIDER_URL_ALPACA_TRADING", string>>;
  readonly book: AlpacaAccount;
  calls(): readonly Heard[];
  /** What becomes of the next orders, one after the other. */
  faults(...next: readonly Fault[]): void;
  /** Answers all that is asked with this until it is null again. */
  tell(answer: Told | ((heard: Heard) => Told) | null): void;
  close(): Promise<void>;
}

export interface FakeAlpacaOptions extends AlpacaAccountOptions {
  readonly key?: string;
  readonly secret?: string;
}

export const FAKE_ALPACA_KEY = {
  api_key: "PKSTANDIN0000000000",
  api_secret: "stand-in-secret-7f3a",
} as const;

/** Serves one account as Alpaca does, with an order book of its own, on this machine alone. */
export async function startFakeAlpaca(options: FakeAlpacaOptions): Promise<FakeAlpaca> {
  const { key = FAKE_ALPACA_KEY.api_key, secret = FAKE_ALPACA_KEY.api_secret } = options;
  const book = new AlpacaAccount(options);
  const calls: Heard[] = [];
  const faults: Fault[] = [];
  let told: Parameters<FakeAlpaca["tell"]>[0] = null;

  function answer({ method, path, headers, body }: Heard): { status: number; body: unknown } {
    if (headers["apca-api-key-id"] !== key || headers["apca-api-secret-key"] !== secret)
      return { status: 401, body: { code: 40110000, message: "unauthorized." } };
    const { pathname, searchParams: query } = new URL(path, "http://stand-in");
    book.settle();
    const id = /^\/v2\/orders\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
    if (method === "POST" && pathname === "/v2/orders")
      return { status: 200, body: book.send(JSON.parse(body) as AlpacaOrderRequest) };
    if (method === "DELETE" && id !== undefined) {
      book.cancel(id);
      return { status: 204, body: undefined };
    }
    if (method !== "GET") return { status: 405, body: { code: 40510000, message: "method not allowed" } };
    if (pathname === "/v2/account") return { status: 200, body: book.account() };
    if (pathname === "/v2/positions") return { status: 200, body: book.positions() };
    if (pathname === "/v2/orders") return { status: 200, body: book.list(query) };
    if (pathname === "/v2/orders:by_client_order_id")
      return { status: 200, body: book.byClientId(query.get("client_order_id") ?? "") };
    return { status: 404, body: { code: 40410000, message: "endpoint not found" } };
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { method = "", url = "", headers } = request;
    const heard: Heard = { method, path: url, headers, body };
    calls.push(heard);
    const say = ({ status, body: text, type = "application/json" }: Told, more = {}) =>
      response.writeHead(status, { "content-type": type, ...more }).end(text);
    if (told !== null) return say(typeof told === "function" ? told(heard) : told);
    const fault = method === "POST" ? faults.shift() : undefined;
    let own: Told;
    try {
      if (fault !== undefined && !fault.endsWith("after")) return spoil(fault);
      const { status, body: said } = answer(heard);
      own = { status, body: said === undefined ? "" : JSON.stringify(said) };
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
    book,
    calls: () => [...calls],
    faults: (...next) => void faults.push(...next),
    tell(answer) {
      told = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
