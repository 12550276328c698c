import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** What was heard of a vendor besides the answer. */
export interface ResponseInfo {
  readonly status: number;
  /** The vendor's own clock, epoch ms; null where it does not tell. */
  readonly vendorClock: number | null;
}

/** How every adapter reaches its vendor. */
export interface ProviderSetup {
  readonly fetch: typeof fetch;
  /** Another address in the vendor's place, such as a replay on this machine. */
  readonly baseUrl?: string | undefined;
  readonly onResponse?: (response: ResponseInfo) => void;
}

export interface HttpClientOptions extends ProviderSetup {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest answer read, bytes. */
  readonly maxBytes?: number;
}

export interface HttpRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Besides those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Statuses other than 200 whose body says something an adapter reads itself. */
  readonly accept?: readonly number[];
  /** Sees the head of every answer, whatever its status. */
  readonly onHead?: (headers: Headers) => void;
  /** Asked by POST with this as JSON, where there is one. */
  readonly jsonBody?: unknown;
  /** How it is asked where neither GET nor POST is meant. */
  readonly method?: "DELETE";
}

export interface HttpResponse<T> {
  readonly status: number;
  readonly body: T;
}

/** One vendor's HTTP: every way in which an answer can be none is a `ProviderFailure` of the right kind. */
export interface HttpClient {
  json(path: string, request: HttpRequest): Promise<HttpResponse<unknown>>;
  text(path: string, request: HttpRequest): Promise<HttpResponse<string>>;
  /** The answer as it is, for what is no text. */
  bytes(path: string, request: HttpRequest): Promise<HttpResponse<Uint8Array>>;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a vendor over HTTP with the fetch it is lent. Redirects are refused: they lead to consent pages. */
export function createHttpClient({
  fetch,
  baseUrl,
  onResponse,
  headers = {},
  maxBytes = MAX_BYTES,
}: HttpClientOptions): HttpClient {
  const base = baseUrl.replace(/\/+$/, "");
  async function ask<T>(
    path: string,
    { query = {}, signal, accept = [], jsonBody: send, method, onHead, headers: own }: HttpRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<HttpResponse<T>> {
    const asked = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const url = `${base}${path}${asked.length === 0 ? "" : `?${new URLSearchParams(asked)}`}`;
    try {
      const response = await fetch(url, {
        headers: { ...headers, ...own },
        signal,
        redirect: "manual",
        ...(method !== undefined && { method }),
        ...postInit(send, { ...headers, ...own }),
      });
      const date = Date.parse(response.headers.get("date") ?? "");
      onResponse?.({ status: response.status, vendorClock: Number.isNaN(date) ? null : date });
      onHead?.(response.headers);
      if (response.status !== 200 && !accept.includes(response.status)) {
        // what it says besides is not read, and whether it can be closed does not matter
        response.body?.cancel().catch(() => undefined);
        throw failureFromResponse(response);
      }
      return { status: response.status, body: await read(response) };
    } catch (cause) {
      if (cause instanceof ProviderFailure) throw cause;
      if (signal.aborted) throw new ProviderFailure("timeout", "it took too long", { cause });
      throw new ProviderFailure("down", "no connection, or one that broke", { cause });
    }
  }
  const text: HttpClient["text"] = (path, request) =>
    ask(path, request, (response) => readLimitedText(response, maxBytes));
  return {
    text,
    bytes: (path, request) =>
      ask(path, request, async (response) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of readLimitedChunks(response, maxBytes)) chunks.push(chunk);
        return Buffer.concat(chunks);
      }),
    async json(path, request) {
      const { status, body } = await text(path, request);
      const plain = body.replace(/^\uFEFF/, "").trimStart();
      if (plain.startsWith("<")) throw new ProviderFailure("blocked", "a page instead of data");
      try {
        return { status, body: JSON.parse(plain) as unknown };
      } catch (cause) {
        throw new ProviderFailure("malformed", "an answer that is not JSON", { cause });
      }
    },
  };
}

const postInit = (send: unknown, headers: Readonly<Record<string, string>>): RequestInit =>
  send === undefined
    ? {}
    : {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(send),
      };

function failureFromResponse({ status, headers }: Response): ProviderFailure {
  const retryAfterMs = parseRetryAfter(headers);
  return new ProviderFailure(failureKind(status, headers), `status ${status}`, {
    ...(retryAfterMs !== null && { retryAfterMs }),
  });
}

function failureKind(status: number, headers: Headers): FailureKind {
  if (status === 429 || status === 418) return "rate_limited";
  if (status === 403 && headers.get("content-type")?.includes("text/html")) return "blocked"; // a wall, not the vendor
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 451 || (status >= 300 && status < 400)) return "blocked";
  if (status === 408) return "timeout";
  return status >= 500 ? "down" : "malformed";
}

/** Seconds, or a date against the vendor's own clock, in ms; null for anything else. */
function parseRetryAfter(headers: Headers): number | null {
  const said = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,7}$/.test(said)) return Number(said) * 1000;
  const wait = said.endsWith("GMT") ? Date.parse(said) - Date.parse(headers.get("date") ?? "") : Number.NaN;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

async function readLimitedText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of readLimitedChunks(response, maxBytes))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* readLimitedChunks(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ProviderFailure("malformed", `an answer of more than ${maxBytes} bytes`);
    yield chunk;
  }
}
