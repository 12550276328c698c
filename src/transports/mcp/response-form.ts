import { acceptQuality, namesType } from "../http/accept.ts";
import { methodOf } from "./http-body.ts";
import { LISTEN_METHOD } from "./subscribe-http.ts";

/** Forms of a response. `either`: JSON or an event stream, depending on the revision and the duration of the call. */
export type ResponseForm = "either" | "json" | "stream";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
/** Accept header that the SDK requires in revisions before 2026-07-28. */
const BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`;

/**
 * Returns the form in which a client accepts the response to a message; null if it accepts none. Only a client that
 * names event streams is known to read them: a header that is absent or has wildcards selects JSON.
 */
export function responseFormOf(accept: string | null, message: unknown): ResponseForm | null {
  if (accept === null || accept.trim() === "") return "json";
  const stream = acceptQuality(accept, STREAM_TYPE) > 0;
  // the response to a subscription is an endless stream
  if (methodOf(message) === LISTEN_METHOD) return stream ? "stream" : null;
  const json = acceptQuality(accept, JSON_TYPE) > 0;
  if (stream && namesType(accept, STREAM_TYPE)) return json ? "either" : "stream";
  if (json) return "json";
  if (!stream) return null;
  return namesType(accept, JSON_TYPE) ? "stream" : "json";
}

/** Returns the 406 response to a request whose Accept header allows neither JSON nor an event stream. */
export const notAcceptableResponse = (message: unknown, id: string | number | null) =>
  Response.json(
    {
      jsonrpc: "2.0",
      id,
      error: {
        code: -32000,
        message:
          methodOf(message) === LISTEN_METHOD
            ? `Not acceptable: ${LISTEN_METHOD} is answered by an event stream. Send the header Accept: ${BOTH}`
            : `Not acceptable: the response is JSON or an event stream. Send the header Accept: ${BOTH}, or ${JSON_TYPE} alone for JSON without progress`,
      },
    },
    { status: 406 },
  );

/** Calls a handler of the SDK, which requires an Accept header for both forms, and returns its response in `form`. */
export async function respondInForm(
  form: ResponseForm,
  request: Request,
  isBatch: boolean,
  respond: (request: Request) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH);
  const { url, method, signal } = request;
  const response = await respond(form === "either" ? request : new Request(url, { method, headers, signal }));
  return form === "json" ? asJson(response, isBatch) : response;
}

/** Returns the results of an event stream as JSON, without the notifications and questions before them. */
async function asJson(response: Response, isBatch: boolean): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith(STREAM_TYPE)) return response;
  const lines = (await response.text()).split("\n");
  const results = lines
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as object)
    .filter((message) => !("method" in message));
  if (results.length === 0) return noResponse();
  return Response.json(isBatch ? results : results[0], { status: response.status });
}

/** Returns the 204 response to a cancelled request of a client that accepts only JSON. */
export const noResponse = (): Response => new Response(null, { status: 204 });
