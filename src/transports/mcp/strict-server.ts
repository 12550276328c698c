import { ProtocolError, ProtocolErrorCode, Server, specTypeSchemas } from "@modelcontextprotocol/server";
import { plainText } from "../../lib/plain-text.ts";

/** What the protocol says of the params of each method. */
const PARAMS: Readonly<Record<string, keyof typeof specTypeSchemas>> = {
  initialize: "InitializeRequestParams",
  "tools/list": "PaginatedRequestParams",
  "tools/call": "CallToolRequestParams",
  "resources/list": "PaginatedRequestParams",
  "resources/templates/list": "PaginatedRequestParams",
  "resources/read": "ReadResourceRequestParams",
  "resources/subscribe": "SubscribeRequestParams",
  "resources/unsubscribe": "UnsubscribeRequestParams",
  "prompts/list": "PaginatedRequestParams",
  "prompts/get": "GetPromptRequestParams",
  "completion/complete": "CompleteRequestParams",
  "logging/setLevel": "SetLevelRequestParams",
};

/** An MCP server that refuses params the protocol does not allow with -32602 and one sentence, never a parser's dump. */
export class StrictServer extends Server {
  protected override _wrapHandler(
    ...[method, handler]: Parameters<Server["_wrapHandler"]>
  ): ReturnType<Server["_wrapHandler"]> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      const flaw = paramsErrorOf(method, request.params ?? {});
      if (flaw !== null) throw invalid(flaw);
      try {
        return await wrapped(request, ctx);
      } catch (cause) {
        if (cause instanceof ProtocolError) throw cause;
        // only the library's own parsing, which differs a little by revision, throws anything else
        throw invalid(`The params of ${method} are not what the protocol asks for`);
      }
    };
  }
}

/** What is wrong with the params of a request, null if nothing is. */
function paramsErrorOf(method: string, params: object): string | null {
  const schema = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  const issue = schema && specTypeSchemas[schema]["~standard"].validate(params).issues?.[0];
  if (!issue) return null;
  const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const found = path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], params);
  const field = plainText(path.join("."), 80);
  return found === undefined
    ? `${method} needs "${field}"`
    : `"${field}" of ${method} is not what it must be`;
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
