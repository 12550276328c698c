import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { JsonLimitError, parseWithin } from "../../lib/json-size.ts";
import { parseLargeJson } from "../../lib/large-json.ts";

export interface ResponseInfo {
  readonly status: number;
  /** Time in the response's Date header, epoch ms; null without one. */
  readonly providerClock: number | null;
}

export interface ProviderSetup {
  readonly fetch: typeof fetch;
  /** Replaces the provider's base URL, for example with a local replay server. */
  readonly baseUrl?: string | undefined;
  readonly onResponse?: (response: ResponseInfo) => void;
  /** Called with the number of rows of a response that were dropped because they could not be read. */
  readonly onUnreadable?: ((rows: number) => void) | undefined;
}

export interface HttpClientOptions extends ProviderSetup {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum size of a response, bytes. Default: 4 MB. */
  readonly maxBytes?: number;
  /** True if no key is sent. 401, 402 and 403 then come from a firewall and count as "blocked" instead of "auth". */
  readonly keyless?: boolean;
  /**
   * Registrable domain of the provider, `cboe.com`: redirects of GET requests within it are followed, at most four.
   * Another host gets the headers `accept` and `user-agent` only. Default: redirects are refused.
   */
  readonly redirectsWithin?: string;
}

export interface HttpRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Added to the client's headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** HTTP statuses other than 200 whose body the adapter reads. */
  readonly accept?: readonly number[];
  /** Called with the headers of every response, regardless of its status. */
  readonly onHead?: (headers: Headers) => void;
  /** Body, sent by POST as JSON. */
  readonly jsonBody?: unknown;
  /** Body, sent by POST as a form. */
  readonly formBody?: URLSearchParams;
  /** Default: GET, or POST with a body. */
  readonly method?: "DELETE";
}

export interface HttpResponse<T> {
  readonly status: number;
  readonly body: T;
}

/** HTTP client of one provider. Rejects only with `ProviderFailure`. */
export interface HttpClient {
  json(path: string, request: HttpRequest): Promise<HttpResponse<unknown>>;
  text(path: string, request: HttpRequest): Promise<HttpResponse<string>>;
  bytes(path: string, request: HttpRequest): Promise<HttpResponse<Uint8Array>>;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** A JSON body may have one value for this many bytes of its maximum size; real ones are well below both maxima. */
const BYTES_PER_VALUE = 25;
/** Maximum number of values of a message of a stream. */
const MAX_MESSAGE_VALUES = 40_000;
/** Maximum number of bytes in which a body is recognized as markup. */
const MAX_BLANK_BYTES = 1_024;

/** Maximum number of redirects of one request. */
const MAX_REDIRECTS = 4;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the HTTP client of a provider. It refuses redirects unless they stay within the provider's domain, because
 * they may lead to consent pages and would carry keys to other hosts.
 */
export function createHttpClient({
  fetch,
  baseUrl,
  onResponse,
  headers = {},
  maxBytes = MAX_BYTES,
  keyless = false,
  redirectsWithin,
}: HttpClientOptions): HttpClient {
  const base = baseUrl.replace(/\/+$/, "");

  /** Sends a request and follows its redirects as far as they are allowed. */
  async function fetchFollowing(url: string, init: RequestInit): Promise<Response> {
    let response = await fetch(url, init);
    if (redirectsWithin === undefined || (init.method ?? "GET") !== "GET") return response;
    for (let [from, count] = [new URL(url), 0]; count < MAX_REDIRECTS; count++) {
      const target = redirectTarget(response, from, redirectsWithin);
      if (target === null) return response;
      response.body?.cancel().catch(() => undefined);
      onResponse?.({ status: response.status, providerClock: dateHeader(response) });
      response = await fetch(target.href, target.origin === new URL(base).origin ? init : withoutKeys(init));
      from = target;
    }
    return response;
  }

  async function send<T>(
    path: string,
    { query = {}, signal, accept = [], jsonBody, formBody, method, onHead, headers: extra }: HttpRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<HttpResponse<T>> {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const url = `${base}${path}${parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`}`;
    try {
      const response = await fetchFollowing(url, {
        headers: { ...headers, ...extra },
        signal,
        redirect: "manual",
        ...(method !== undefined && { method }),
        ...postInit(jsonBody, { ...headers, ...extra }),
        // fetch adds the content type of a form
        ...(formBody !== undefined && { method: "POST", body: formBody }),
      });
      onResponse?.({ status: response.status, providerClock: dateHeader(response) });
      onHead?.(response.headers);
      if (response.status !== 200 && !accept.includes(response.status)) {
        // the body is not needed, so an error while closing it is ignored
        response.body?.cancel().catch(() => undefined);
        throw failureFromResponse(response, keyless);
      }
      return { status: response.status, body: await read(response) };
    } catch (cause) {
      if (cause instanceof ProviderFailure) throw cause;
      if (signal.aborted) throw new ProviderFailure("timeout", "request timed out", { cause });
      throw new ProviderFailure("down", "connection failed", { cause });
    }
  }
  const bytes: HttpClient["bytes"] = (path, request) =>
    send(path, request, (response) => readLimitedBytes(response, maxBytes));
  return {
    bytes,
    text: (path, request) => send(path, request, (response) => readLimitedText(response, maxBytes)),
    async json(path, request) {
      const { status, body } = await bytes(path, request);
      return { status, body: await parseJson(body, maxBytes) };
    },
  };
}

/**
 * Returns the address to which a response redirects, if both it and the requested host are https hosts of the domain, or
 * if it has the origin of the request; null otherwise.
 */
function redirectTarget({ status, headers }: Response, from: URL, domain: string): URL | null {
  const location = headers.get("location");
  if (!REDIRECTS.has(status) || location === null || !URL.canParse(location, from.href)) return null;
  const target = new URL(location, from);
  if (target.username !== "" || target.password !== "") return null;
  if (target.origin === from.origin) return target;
  return [from, target].every((url) => isWithinDomain(url, domain)) ? target : null;
}

/** Returns true for an https address, at the default port, of a domain or of a host below it. */
export const isWithinDomain = ({ protocol, port, hostname }: URL, domain: string): boolean =>
  protocol === "https:" && port === "" && (hostname === domain || hostname.endsWith(`.${domain}`));

function withoutKeys(init: RequestInit): RequestInit {
  const open = [...new Headers(init.headers)].filter(([name]) => /^(accept|user-agent)$/.test(name));
  return { ...init, headers: Object.fromEntries(open) };
}

/** Returns the time in the Date header, epoch ms; null without one. */
export function dateHeader({ headers }: Response): number | null {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : date;
}

/**
 * Parses a JSON body whose maximum size is `maxBytes`, in parts if it is large. Rejects with ProviderFailure "blocked"
 * for markup, "malformed" for anything else that is not JSON, or has too many values or levels.
 */
export async function parseJson(body: string | Uint8Array, maxBytes = MAX_BYTES): Promise<unknown> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (/^\uFEFF?\s*</.test(Buffer.from(bytes.subarray(0, MAX_BLANK_BYTES)).toString()))
    throw new ProviderFailure("blocked", "HTML page instead of data");
  try {
    return await parseLargeJson(bytes, { values: Math.floor(maxBytes / BYTES_PER_VALUE) });
  } catch (cause) {
    const message =
      cause instanceof JsonLimitError ? `response with ${cause.message}` : "response is not JSON";
    throw new ProviderFailure("malformed", message, { cause });
  }
}

/** Parses a JSON body like `parseJson`; resolves to undefined for other text. */
export const tryParseJson = (body: string, maxBytes = MAX_BYTES): Promise<unknown> =>
  parseJson(body, maxBytes).catch(() => undefined);

/** Parses JSON of a short message; undefined for other text and for one with too many values or levels. */
export function tryParseMessage(text: string): unknown {
  try {
    return parseWithin(text, { values: MAX_MESSAGE_VALUES });
  } catch {
    return undefined;
  }
}

const postInit = (jsonBody: unknown, headers: Readonly<Record<string, string>>): RequestInit =>
  jsonBody === undefined
    ? {}
    : {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(jsonBody),
      };

function failureFromResponse({ status, headers }: Response, keyless: boolean): ProviderFailure {
  const retryAfterMs = parseRetryAfter(headers);
  const kind = failureKind(status, headers);
  return new ProviderFailure(keyless && kind === "auth" ? "blocked" : kind, `status ${status}`, {
    ...(retryAfterMs !== null && { retryAfterMs }),
  });
}

function failureKind(status: number, headers: Headers): FailureKind {
  if (status === 429 || status === 418) return "rate_limited";
  if (status === 403 && headers.get("content-type")?.includes("text/html")) return "blocked"; // page of a firewall
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 451 || (status >= 300 && status < 400)) return "blocked";
  if (status === 408) return "timeout";
  return status >= 500 ? "down" : "malformed";
}

/**
 * Returns the Retry-After header in ms; it holds seconds, or a date, which is compared with the Date header. Null for
 * anything else.
 */
function parseRetryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000;
  const wait = text.endsWith("GMT") ? Date.parse(text) - Date.parse(headers.get("date") ?? "") : Number.NaN;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

async function readLimitedText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of readLimitedChunks(response, maxBytes))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Reads a body. Rejects with ProviderFailure "malformed" if it is larger. */
export async function readLimitedBytes(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readLimitedChunks(response, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* readLimitedChunks(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ProviderFailure("malformed", `response larger than ${maxBytes} bytes`);
    yield chunk;
  }
}
