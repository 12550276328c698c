import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { ToolError } from "../../kernel/errors.ts";
import { nestedWithin } from "../../lib/depth.ts";
import { jsonValue } from "../http/body.ts";

/** Maximum request size in bytes, because the message is stored with the task. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Maximum nesting depth of the JSON. */
const MAX_JSON_DEPTH = 64;

/** An invalid body: not JSON, too large, or of another media type. Each binding has its own status for them. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly reason: "parse" | "size" | "media type";

  constructor(reason: BodyError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Media types of a request body, over both bindings. */
const MEDIA_TYPES: readonly string[] = ["application/json", "application/a2a+json"];

/**
 * Parses the JSON body of a request. Rejects with BodyError for an invalid body and with a protocol error for deep
 * nesting. `seen` gets every body that is JSON, before its media type and depth are checked.
 */
export async function readJsonBody(
  request: Request,
  seen: (value: unknown) => void = () => {},
): Promise<unknown> {
  const unsupported = () =>
    new BodyError(
      "media type",
      `The content type is not supported. Send the header Content-Type: ${MEDIA_TYPES[0]}.`,
    );
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  const isSupported = MEDIA_TYPES.includes(type.trim().toLowerCase());
  let value: unknown;
  try {
    // the depth is checked below, once the id of the request is known
    value = await jsonValue(request, MAX_BODY_BYTES, Number.POSITIVE_INFINITY);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    if (thrown.code === "INVALID_INPUT")
      throw isSupported ? new BodyError("parse", "The body is not JSON in UTF-8.") : unsupported();
    if (thrown.code === "BODY_TOO_LARGE")
      throw new BodyError("size", `${thrown.message}. Split the message.`);
    throw thrown;
  }
  seen(value);
  if (!isSupported) throw unsupported();
  if (!nestedWithin(value, MAX_JSON_DEPTH))
    throw new RequestMalformedError(`The JSON is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  return value;
}
