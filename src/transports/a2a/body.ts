import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { ToolError } from "../../kernel/errors.ts";
import { nestedWithin } from "../../lib/depth.ts";
import { jsonValue } from "../http/body.ts";

/** Bytes a request may have; its message is kept with the task. */
const MAX_BODY_BYTES = 256 * 1024;
/** How deep its JSON may be nested. */
const MAX_JSON_DEPTH = 64;

/** Another problem of a body than the protocol's own errors can say: no JSON, or too much of it. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly reason: "parse" | "size";

  constructor(reason: "parse" | "size", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The JSON value of a request of one of these content types. Throws the protocol's errors and BodyError. */
export async function readJsonBody(request: Request, types: readonly string[]): Promise<unknown> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (!types.includes(type.trim().toLowerCase()))
    throw new ContentTypeNotSupportedError(
      `This content type is not read. Send the header Content-Type: ${types[0]}.`,
    );
  let value: unknown;
  try {
    value = await jsonValue(request, MAX_BODY_BYTES);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    if (thrown.code === "INVALID_INPUT") throw new BodyError("parse", "The body is not JSON in UTF-8.");
    if (thrown.code === "BODY_TOO_LARGE")
      throw new BodyError(
        "size",
        `A body may have at most ${MAX_BODY_BYTES} bytes. Ask for less in one message.`,
      );
    throw thrown;
  }
  if (!nestedWithin(value, MAX_JSON_DEPTH))
    throw new RequestMalformedError(`The JSON is nested more than ${MAX_JSON_DEPTH} deep. Send it flatter.`);
  return value;
}
