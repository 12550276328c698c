const MAX_BYTES = 8 * 1024 * 1024;
const REDACTED = "REDACTED";
/** Names of query parameters and answer fields whose values open doors. */
const SECRET_PARAMETER = /key|token|secret|signature|password|auth|crumb|session|credential/i;
const SECRET_FIELD =
  /("(?:api[_-]?key|(?:access|refresh|auth)[_-]?token|client[_-]?secret|secret|password|crumb|authorization)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
/** Paths that answer with nothing but a key. */
const SECRET_PATH = /crumb|oauth|access_token/i;
/** Answer headers that tell how a vendor serves, and nothing of who asked. */
const RECORDED_HEADERS =
  /^(content-(type|encoding|length)|date|age|cache-control|etag|last-modified|retry-after|(x-)?ratelimit.*|x-mbx-used-weight.*)$/;

/** Takes one file: its name and its whole text. */
export type WriteRecording = (name: string, text: string) => void;

/**
 * A fetch that writes down every answer as pretty JSON `{url, status, headers, body}`, numbered in order of asking.
 * No header of a request is written, no cookie, no query parameter or field whose name sounds like a key, and none
 * of `secrets` wherever and however it stands. The body is JSON where that loses nothing, else its text; null in an answer of
 * over 8 MB, which is handed on whole. Without a connection `status` is null. What `write` throws fails the call.
 */
export function recordingFetch(
  fetch: typeof globalThis.fetch,
  write: WriteRecording,
  secrets: readonly string[] = [],
): typeof globalThis.fetch {
  let asked = 0;
  const secret = secretPattern(secrets);
  const hide = (text: string): string => (secret === null ? text : text.replace(secret, REDACTED));
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const name = `${String(++asked).padStart(3, "0")}-${toFileName(hide(url.host + url.pathname))}.json`;
    const keep = (answer: { status: number | null; headers: object; body: unknown }): void =>
      write(name, `${JSON.stringify({ url: hide(redactUrl(url)), ...answer }, null, 2)}\n`);
    const { response, bytes, rest } = await readUpToLimit(fetch(input, init)).catch((cause: unknown) => {
      keep({ status: null, headers: {}, body: null });
      throw cause;
    });
    const { status, statusText, headers } = response;
    const told = [...headers].filter(([header]) => RECORDED_HEADERS.test(header));
    const text = new TextDecoder().decode(bytes).replace(SECRET_FIELD, `$1"${REDACTED}"`);
    const body = SECRET_PATH.test(url.pathname) ? REDACTED : parseLossless(hide(text));
    keep({
      status,
      headers: Object.fromEntries(told.map(([header, value]) => [header, hide(value)])),
      body: rest === null ? body : null,
    });
    return new Response(replayBody(bytes, rest), { status, statusText, headers });
  };
}

/** Reads an answer to its end, or so far as is kept; `rest` reads on. */
async function readUpToLimit(asked: Promise<Response>) {
  const response = await asked;
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

/** What was read, and what is still to come. */
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

/** The value, where it is written back letter for letter; else the text. */
function parseLossless(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return JSON.stringify(value) === text.trim() ? value : text;
  } catch {
    return text;
  }
}

function redactUrl(url: URL): string {
  const told = new URL(url);
  told.username = "";
  told.password = "";
  for (const parameter of new Set(told.searchParams.keys()))
    if (SECRET_PARAMETER.test(parameter)) told.searchParams.set(parameter, REDACTED);
  return told.href;
}

/** Finds a secret however it may come back: in either case, escaped, percent-encoded or within base64. */
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
    .map((way) => way.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return ways.length === 0 ? null : new RegExp([...new Set(ways)].join("|"), "gi");
}

/** The characters that stand for a secret alone wherever it begins in what is encoded, in both alphabets. */
function base64Variants(secret: string): readonly string[] {
  const size = Buffer.byteLength(secret);
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const whole = Math.floor(((before + size) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString("base64");
    const plain = text.slice(first, whole);
    return plain.length < 8 ? [] : [plain, plain.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const toFileName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 100);
