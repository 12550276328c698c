import { escapeRegExp } from "../../lib/escape-regexp.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const REDACTED = "REDACTED";
/** Matches the names of query parameters and response fields that contain secrets. */
const SECRET_PARAMETER = /key|token|secret|signature|password|auth|crumb|session|credential/i;
const SECRET_FIELD =
  /("(?:api[_-]?key|(?:access|refresh|auth)[_-]?token|client[_-]?secret|secret|password|crumb|authorization)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
/** Matches paths whose response is a secret. */
const SECRET_PATH = /crumb|oauth|access_token/i;
/** Response headers that are recorded; none of them identifies the caller. */
const RECORDED_HEADERS =
  /^(content-(type|encoding|length)|date|age|cache-control|etag|last-modified|retry-after|(x-)?ratelimit.*|x-mbx-used-weight.*)$/;

/** Writes a file, given its name and text. */
export type WriteRecording = (name: string, text: string) => void;

/**
 * Creates a fetch function that records every response as formatted JSON `{url, status, headers, body}`, numbered in
 * the order of requests. Request headers, cookies, secret query parameters and fields, and `secrets` in any encoding
 * are not written. The body is recorded as JSON if that is lossless, else as text; as null for a response of over 8 MB,
 * which is still returned completely. If the connection fails, `status` is null. Errors of `write` fail the call.
 */
export function recordingFetch(
  fetch: typeof globalThis.fetch,
  write: WriteRecording,
  secrets: readonly string[] = [],
): typeof globalThis.fetch {
  let requests = 0;
  const secret = secretPattern(secrets);
  const hide = (text: string): string => (secret === null ? text : text.replace(secret, REDACTED));
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const name = `${String(++requests).padStart(3, "0")}-${toFileName(hide(url.host + url.pathname))}.json`;
    const record = (response: { status: number | null; headers: object; body: unknown }): void =>
      write(name, `${JSON.stringify({ url: hide(redactUrl(url)), ...response }, null, 2)}\n`);
    const { response, bytes, rest } = await readUpToLimit(fetch(input, init)).catch((cause: unknown) => {
      record({ status: null, headers: {}, body: null });
      throw cause;
    });
    const { status, statusText, headers } = response;
    const recorded = [...headers].filter(([header]) => RECORDED_HEADERS.test(header));
    const text = new TextDecoder().decode(bytes).replace(SECRET_FIELD, `$1"${REDACTED}"`);
    const body = SECRET_PATH.test(url.pathname) ? REDACTED : parseLossless(hide(text));
    record({
      status,
      headers: Object.fromEntries(recorded.map(([header, value]) => [header, hide(value)])),
      body: rest === null ? body : null,
    });
    return new Response(replayBody(bytes, rest), { status, statusText, headers });
  };
}

/** Reads a response up to the maximum recorded size; `rest` reads the remainder. */
async function readUpToLimit(pending: Promise<Response>) {
  const response = await pending;
  const reader = response.body?.getReader() ?? null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (reader !== null && size <= MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  return { response, bytes: Buffer.concat(chunks), rest: size > MAX_BYTES ? reader : null };
}

/** Creates a body from the bytes already read and the remainder. */
function replayBody(bytes: Buffer<ArrayBuffer>, rest: ReadableStreamDefaultReader<Uint8Array> | null) {
  if (rest === null) return bytes.length === 0 ? null : bytes;
  const waiting: Uint8Array[] = [bytes];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = waiting.length > 0 ? { done: false, value: waiting.pop() } : await rest.read();
      if (done) controller.close();
      else controller.enqueue(value!);
    },
    cancel: (reason) => rest.cancel(reason),
  });
}

/** Returns the parsed value if it serializes to the same text, else the text. */
function parseLossless(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return JSON.stringify(value) === text.trim() ? value : text;
  } catch {
    return text;
  }
}

function redactUrl(url: URL): string {
  const redacted = new URL(url);
  redacted.username = "";
  redacted.password = "";
  for (const parameter of new Set(redacted.searchParams.keys()))
    if (SECRET_PARAMETER.test(parameter)) redacted.searchParams.set(parameter, REDACTED);
  return redacted.href;
}

/** Creates a case-insensitive pattern of the secrets as they are, escaped, percent-encoded or in base64. */
function secretPattern(secrets: readonly string[]): RegExp | null {
  const ways = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => {
      const escaped = JSON.stringify(secret).slice(1, -1);
      return [
        secret,
        escaped,
        escaped.replaceAll("/", "\\/"),
        encodeURIComponent(secret),
        new URLSearchParams({ "": secret }).toString().slice(1),
        ...base64Variants(secret),
      ];
    })
    .sort((a, b) => b.length - a.length)
    .map(escapeRegExp);
  return ways.length === 0 ? null : new RegExp([...new Set(ways)].join("|"), "gi");
}

/** Returns the base64 characters of a secret for each offset within encoded text, in both alphabets. */
function base64Variants(secret: string): readonly string[] {
  const size = Buffer.byteLength(secret);
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const fullBytes = Math.floor(((before + size) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString("base64");
    const plain = text.slice(first, fullBytes);
    return plain.length < 8 ? [] : [plain, plain.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const toFileName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 100);
