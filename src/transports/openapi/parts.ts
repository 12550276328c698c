import { ERROR_CODES, type ErrorCode } from "../../kernel/errors.ts";
import { carriesPrices } from "../../kernel/sample-label.ts";
import type { Tool } from "../../kernel/tool.ts";
import { isRetryable, PROBLEMS } from "../http/problem.ts";
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from "../rest/idempotency.ts";

/** Ranges of the statuses of errors. Each operation may fail with any of them. */
export const STATUS_RANGES = ["4XX", "5XX"] as const;
type StatusRange = (typeof STATUS_RANGES)[number];

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

export const HEADERS = {
  "Request-Id": textHeader(
    "UUID of this request; the same as `request_id` in an error body.",
    "6f1b6f0e-7f0d-4b43-9a53-0d9b1a6f3c11",
  ),
  "X-Request-Id": textHeader(
    "Request id sent by the client. Default: the UUID of `Request-Id`.",
    "my-request-1",
  ),
  "RateLimit-Policy": textHeader(
    "Rate windows of the account: `q` calls per `w` seconds.",
    '"burst";q=60;w=60,"daily";q=1000;w=86400',
  ),
  RateLimit: textHeader(
    "Remaining calls `r` until the window resets in `t` seconds.",
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
  "WWW-Authenticate": textHeader("Required authentication scheme.", 'Bearer realm="market-signal"'),
  Allow: textHeader("Supported methods of the path.", "GET, HEAD, OPTIONS"),
  ETag: textHeader(
    "Entity tag of the content without the id and time of the response and the times of provider calls. Send it as If-None-Match; 304 means that nothing else has changed.",
    'W/"q5xSq0m0bYc2yJcN2o9r1w"',
  ),
  [REPLAYED_HEADER]: textHeader(
    "`true` if this is the stored response of an earlier call with the same key.",
    "true",
  ),
  "Content-Disposition": textHeader("File name of a file response.", 'inline; filename="file.png"'),
  Vary: textHeader("Request headers that select the format of the response.", "Accept, Accept-Encoding"),
} as const;
export type HeaderName = keyof typeof HEADERS;

export const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: "header",
  description:
    "Idempotency key of 1 to 255 printable ASCII characters, such as a UUID. A call with the same key and input runs only once. For 24 hours, a retry returns the stored response with `Idempotency-Replayed: true` and counts only against the burst quota. Using the key with another input or route returns 422. While the call is running, a retry returns 409 with Retry-After. Temporary failures (409, 429, 5xx) and refusals before the call are not stored, so a retry runs the call.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  example: "6f1b6f0e-7f0d-4b43-9a53-0d9b1a6f3c11",
} as const;

/** Headers of every response; with a key also the limits of the account. */
export const COMMON_HEADERS = ["Request-Id", "X-Request-Id", "RateLimit", "RateLimit-Policy"] as const;

/** Returns references to the headers of a tool's successful response besides those of every response. */
export const toolHeaderRefs = (tool: Tool) => headerRefs(carriesPrices(tool) ? ["Market-Data"] : []);

/** Returns references to the problem responses of all statuses. */
export const problemRefs = () =>
  Object.fromEntries(
    STATUS_RANGES.map((range) => [range, { $ref: `#/components/responses/Problem${range}` }]),
  );

/** Returns references to shared headers, by name. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Body of every error response (RFC 9457). */
export const PROBLEM = {
  type: "object",
  description: "RFC 9457 problem details; additional members contain facts about the failure.",
  required: ["type", "title", "status", "detail", "instance", "ok", "code", "request_id", "retryable"],
  properties: {
    type: {
      type: "string",
      format: "uri-reference",
      description: "Link to the documentation of the error code.",
    },
    title: { type: "string", description: "Title of the error code." },
    status: { type: "integer", description: "HTTP status." },
    detail: { type: "string", description: "Description of this failure." },
    instance: { type: "string", format: "uri-reference", description: "Path of the request." },
    ok: { type: "boolean", const: false, description: "Always false." },
    code: { type: "string", enum: ERROR_CODES, description: "Error code." },
    request_id: { type: "string", format: "uuid", description: "Id of the request; also in the server log." },
    retryable: { type: "boolean", description: "true: the same call may succeed later." },
    hint: { type: "string", description: "Suggested next step." },
    errors: {
      type: "array",
      description: "Invalid fields.",
      items: {
        type: "object",
        required: ["pointer", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON pointer into the input." },
          detail: { type: "string", description: "Description of the fault." },
        },
      },
    },
  },
  additionalProperties: true,
} as const;

const RANGE_HEADERS: Readonly<Record<StatusRange, readonly HeaderName[]>> = {
  "4XX": [...COMMON_HEADERS, "WWW-Authenticate", "Allow", "Retry-After"],
  "5XX": [...COMMON_HEADERS, "Retry-After"],
};

/** Returns the response object of a range of statuses: its codes, headers and an example of each code. */
export function problemResponse(range: StatusRange) {
  const codes = ERROR_CODES.filter((code) => String(PROBLEMS[code].status).startsWith(range.charAt(0)));
  return {
    description: codes
      .map((code) => `${PROBLEMS[code].status} \`${code}\`: ${PROBLEMS[code].title}.`)
      .join(" "),
    headers: headerRefs(RANGE_HEADERS[range]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
}

function exampleProblem(code: ErrorCode) {
  const { status, title } = PROBLEMS[code];
  return {
    type: `/docs#${code}`,
    title,
    status,
    detail: title,
    instance: "/api/v1/thing/AAPL",
    ok: false,
    code,
    request_id: HEADERS["Request-Id"].example,
    retryable: isRetryable(code),
  };
}
