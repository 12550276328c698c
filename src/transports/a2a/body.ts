import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { ToolError } from "../../kernel/errors.ts";
import { nestedWithin } from "../../lib/depth.ts";
import { jsonValue } from "../http/body.ts";

/** Maximum request size in bytes, because the message is stored with the task. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Maximum nesting depth of the JSON. */
const MAX_JSON_DEPTH = 64;

/** An invalid body for which the protocol defines no error: not JSON, or too large. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly reason: "parse" | "size";

  constructor(reason: "parse" | "size", message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Parses the JSON body of a request. Rejects with a protocol error for any content type not in `types` and for deep
 * nesting, and with BodyError for an invalid body.
 */
export async function readJsonBody(request: Request, types: readonly string[]): Promise<unknown> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (!types.includes(type.trim().toLowerCase()))
    throw new ContentTypeNotSupportedError(
      `The content type is not supported. Send the header Content-Type: ${types[0]}.`,
    );
  let value: unknown;
  try {
    value = await jsonValue(request, MAX_BODY_BYTES);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    if (thrown.code === "INVALID_INPUT") throw new BodyError("parse", "The body is not JSON in UTF-8.");
    if (thrown.code === "BODY_TOO_LARGE")
      throw new BodyError("size", `${thrown.message}. Split the message.`);
    throw thrown;
  }
  if (!nestedWithin(value, MAX_JSON_DEPTH))
    throw new RequestMalformedError(`The JSON is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  return value;
}
