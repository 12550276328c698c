import {
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { plainText } from "../../lib/plain-text.ts";

/** Name of the params schema of each method. */
const PARAMS: Readonly<Record<string, keyof typeof specTypeSchemas>> = {
  initialize: "InitializeRequestParams",
  "tools/list": "PaginatedRequestParams",
  "tools/call": "CallToolRequestParams",
  "resources/list": "PaginatedRequestParams",
  "resources/templates/list": "PaginatedRequestParams",
  "resources/read": "ReadResourceRequestParams",
  "resources/subscribe": "SubscribeRequestParams",
  "resources/unsubscribe": "UnsubscribeRequestParams",
  "skills/list": "PaginatedRequestParams",
  "skills/get": "ReadResourceRequestParams",
  "prompts/list": "PaginatedRequestParams",
  "prompts/get": "GetPromptRequestParams",
  "completion/complete": "CompleteRequestParams",
  "logging/setLevel": "SetLevelRequestParams",
};

/** Handles a request, whose params are valid. */
export type Handler = (request: any, ctx: ServerContext) => Result | Promise<Result>;

const isExtension = (method: string): boolean => method.startsWith("skills/");
/** Params of an extension, which are checked by their schema before. */
const ANY_PARAMS = z.looseObject({});

/** MCP server that rejects invalid params with -32602 and one sentence instead of parser output. */
export class StrictServer extends Server {
  /** Registers the handler of a method of the protocol or of an extension. */
  handle(method: string, handler: Handler): void {
    if (isExtension(method))
      this.setRequestHandler(method, { params: ANY_PARAMS }, (params, ctx) => handler({ params }, ctx));
    else this.setRequestHandler(method as "ping", handler as never);
  }

  /** Allows notifications that a page is done, also to a client whose capabilities this connection has not seen. */
  protected override assertNotificationCapability(
    ...[method]: Parameters<Server["assertNotificationCapability"]>
  ): void {
    if (method !== "notifications/elicitation/complete") super.assertNotificationCapability(method);
  }

  protected override _wrapHandler(
    ...[method, handler]: Parameters<Server["_wrapHandler"]>
  ): ReturnType<Server["_wrapHandler"]> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      const fault = paramsErrorOf(method, request.params ?? {});
      if (fault !== null) throw invalid(fault);
      try {
        return await wrapped(request, ctx);
      } catch (cause) {
        if (cause instanceof ProtocolError) throw cause;
        // any other error comes from the SDK's own parsing, which differs by revision
        throw invalid(`The params of ${method} are invalid`);
      }
    };
  }
}

/** Returns the first fault of the params, or null if they are valid. */
function paramsErrorOf(method: string, params: object): string | null {
  const schema = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  const issue = schema && specTypeSchemas[schema]["~standard"].validate(params).issues?.[0];
  if (!issue) return null;
  const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const found = path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], params);
  const field = plainText(path.join("."), 80);
  return found === undefined ? `${method} requires "${field}"` : `"${field}" of ${method} is invalid`;
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
