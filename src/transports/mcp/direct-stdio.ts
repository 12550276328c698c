import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import type { ToolError } from "../../kernel/errors.ts";
import { type SettingsStore, userSettings } from "./client-settings.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import type { DirectCalls, DirectRequest } from "./direct.ts";
import { CALL_METHOD } from "./http-body.ts";
import { rpcErrorResponse } from "./resources.ts";
import { MODERN_REVISION } from "./revisions.ts";
import type { Caller } from "./server-deps.ts";
import { CANCELLED, requestIdOf } from "./session.ts";
import { supportsViews } from "./views.ts";

interface DirectConnectionOptions {
  readonly direct: DirectCalls;
  readonly tools: ConnectionTools;
  readonly caller: Caller;
  readonly settings: SettingsStore;
  /** Writes a message as JSON text. */
  write(json: string): void;
}

/** The part of a connection that answers plain requests without the SDK, once the SDK has agreed on a revision. */
export interface DirectConnection {
  /** Returns true if the message is answered directly; the SDK handles all others. */
  accept(message: unknown): boolean;
  /** Answers a request for which too few messages are left; without an answer to any other message. */
  refuse(message: unknown, refusal: ToolError): void;
  /** Observes a message that the SDK sends. */
  observeSent(message: JSONRPCMessage): void;
  /** Stops responding. */
  close(): void;
}

/** Creates the direct part of a connection whose SDK part sends its messages through `observeSent`. */
export function createDirectConnection({
  direct,
  tools,
  caller,
  settings,
  write,
}: DirectConnectionOptions): DirectConnection {
  /** Revision of the connection; null until the SDK has sent it. */
  let revision: string | null = null;
  let initializeId: unknown;
  const running = new Map<unknown, AbortController>();

  function run(request: DirectRequest, connectionRevision: string): void {
    const controller = new AbortController();
    running.set(request.id, controller);
    const call = {
      tools,
      transport: "stdio",
      caller,
      revision: connectionRevision,
      cancellation: { controller, watch() {} },
    } as const;
    void direct.answer(request, call).then((json) => {
      // a cancelled request has no response
      if (running.get(request.id) !== controller) return;
      running.delete(request.id);
      write(json);
    });
  }

  function cancel(id: unknown): void {
    const controller = running.get(id);
    running.delete(id);
    controller?.abort();
  }

  return {
    accept(message) {
      const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
      if (method === CANCELLED) cancel((params as { requestId?: RequestId })?.requestId);
      if (method === "initialize") {
        revision = null;
        initializeId = id;
        const { capabilities } = (params ?? {}) as { capabilities?: unknown };
        void settings.set({ ...userSettings(capabilities), showsViews: supportsViews(capabilities) });
      }
      if (revision === null) return false;
      const request = direct.parse(message, tools, settings.get());
      if (request === null || request.modern !== (revision === MODERN_REVISION)) return false;
      run(request, revision);
      return true;
    },
    refuse(message, refusal) {
      const { id: written, method } = message as { id?: unknown; method?: unknown };
      const id = requestIdOf(written);
      if (id === null || typeof method !== "string") return;
      const modern = revision === MODERN_REVISION;
      write(
        method === CALL_METHOD
          ? direct.refuse({ id, modern }, refusal)
          : JSON.stringify(rpcErrorResponse(refusal, id)),
      );
    },
    observeSent(message) {
      if ("method" in message) return;
      const isInitialized = initializeId !== undefined && message.id === initializeId;
      if (isInitialized) initializeId = undefined;
      if (!("result" in message)) return;
      const { result } = message as { result: Record<string, unknown> };
      if (isInitialized) revision = result.protocolVersion as string;
      // the response to server/discover does not select the revision
      if (result.resultType !== undefined && !("supportedVersions" in result)) revision = MODERN_REVISION;
    },
    close: () => running.clear(),
  };
}
