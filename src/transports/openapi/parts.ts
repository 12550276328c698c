import { ERROR_CODES } from "../../kernel/errors.ts";
import type { Toolset } from "../../kernel/tool.ts";
import { RETRYABLE, STATUS, TITLE } from "../http/problem.ts";
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from "../rest/idempotency.ts";

/** Short description of each toolset. */
export const TOOLSET_DESCRIPTIONS = {
  market: "Prices and history",
  signal: "Scores, grades and their reasons",
  flow: "Options, off-exchange and congressional flow",
  fundamentals: "Company results",
  prediction: "Prediction markets",
  trading: "Connections, tickets and positions",
  agents: "Agent templates composed from the other tools",
  system: "The server itself",
} as const satisfies Record<Toolset, string>;

/** Every status a failure may have, once. */
export const STATUSES: readonly number[] = [...new Set(Object.values(STATUS))];

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

/** The headers of answers. */
export const HEADERS = {
  "Request-Id": textHeader(
    "UUID of this request, the `request_id` of an error body.",
    "6f1b6f0e-7f0d-4b43-9a53-0d9b1a6f3c11",
  ),
  "X-Request-Id": textHeader(
    "Request id sent by the client. Default: the UUID of `Request-Id`.",
    "my-request-1",
  ),
  "RateLimit-Policy": textHeader(
    "The account's windows: quota `q` in `w` seconds.",
    '"burst";q=60;w=60,"daily";q=1000;w=86400',
  ),
  RateLimit: textHeader(
    "Calls left: `r` calls until the window resets in `t` seconds.",
    '"burst";r=12;t=30,"daily";r=900;t=3600',
  ),
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    schema: { type: "integer" },
    example: 30,
  },
  "Market-Data": {
    description: "Market that the data comes from: sample (simulated), files (the owner's files) or live.",
    schema: { type: "string", enum: ["sample", "files", "live"] },
    example: "sample",
  },
  "WWW-Authenticate": textHeader("How to authenticate.", 'Bearer realm="market-signal"'),
  Allow: textHeader("The methods this path answers.", "GET, HEAD, OPTIONS"),
} as const;

/** Additional response headers of operations that accept an idempotency key. */
export const REPLAY_HEADERS = {
  [REPLAYED_HEADER]: textHeader(
    "`true` if this is the stored response of an earlier call with the same key.",
    "true",
  ),
} as const;

/** Parameter for the idempotency key. */
export const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: "header",
  required: false,
  description:
    "Your name for this call, 1 to 255 printable ASCII characters; a UUID does. The same key with the same input is run once and answered alike for 24 hours, the repetitions marked `Idempotency-Replayed: true`; they count against the short window of the account and not against its day. With another input or route it is refused (422), and while the call still runs the caller is told to wait (409 with Retry-After). Failures that may pass (409, 429, 5xx) and refusals before the call ran are not kept: send the same again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  example: "6f1b6f0e-7f0d-4b43-9a53-0d9b1a6f3c11",
} as const;

/** Additional response headers of operations that can return a file. */
export const FILE_HEADERS = {
  "Content-Disposition": textHeader(
    "A name for the file, where the answer is one.",
    'inline; filename="file.png"',
  ),
  Vary: textHeader("Request headers that select the response format.", "Accept"),
} as const;
export type HeaderName = keyof typeof HEADERS;

/** References to shared headers, by name. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The body of every failure, RFC 9457. */
export const PROBLEM = {
  type: "object",
  description: "RFC 9457 problem details; further members carry the facts of the failure.",
  required: ["type", "title", "status", "detail", "instance", "ok", "code", "request_id", "retryable"],
  properties: {
    type: { type: "string", format: "uri-reference", description: "Where the code is explained." },
    title: { type: "string", description: "Kind of failure; constant for each code." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "What failed this time." },
    instance: { type: "string", format: "uri-reference", description: "Path of the request." },
    ok: { type: "boolean", const: false, description: "Always false." },
    code: { type: "string", enum: ERROR_CODES, description: "The failure for programs." },
    request_id: { type: "string", format: "uuid", description: "Names this request in the log." },
    retryable: { type: "boolean", description: "Whether the same call may succeed later." },
    hint: { type: "string", description: "What to do next." },
    errors: {
      type: "array",
      description: "The fields that were refused.",
      items: {
        type: "object",
        required: ["pointer", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON pointer into the input." },
          detail: { type: "string", description: "What is wrong with it." },
        },
      },
    },
  },
  additionalProperties: true,
} as const;

const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  409: ["Retry-After"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** Returns the response object of one error status: its codes, headers and an example problem. */
export function problemResponse(status: number) {
  const codes = ERROR_CODES.filter((code) => STATUS[code] === status);
  const [first] = codes;
  const { title, code } = { title: TITLE[first!], code: first! };
  return {
    description: codes.map((each) => `\`${each}\`: ${TITLE[each]}.`).join(" "),
    headers: headerRefs([
      "Request-Id",
      "X-Request-Id",
      "RateLimit",
      "RateLimit-Policy",
      ...(STATUS_HEADERS[status] ?? []),
    ]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        example: {
          type: `/docs#${code}`,
          title,
          status,
          detail: title,
          instance: "/api/v1/thing/AAPL",
          ok: false,
          code,
          request_id: HEADERS["Request-Id"].example,
          retryable: RETRYABLE.has(code),
        },
      },
    },
  };
}
