import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Server,
  Transport,
} from "@modelcontextprotocol/server";
import type { Peers } from "../../domain/peers-port.ts";
import type { Ids } from "../../domain/ports.ts";
import { createSessionSettings, type SettingsStore, supportsForms } from "./client-settings.ts";
import { createRecipients } from "./recipients.ts";
import {
  addressOf,
  cancelledId,
  isAnswer,
  requestIdOf,
  SESSION_HEADER,
  sessionKey,
  sessionOf,
  sessionRequest,
} from "./session.ts";

/** One POST with its response, as long as both last. */
export interface Exchange {
  /** Aborting it cancels the request. */
  readonly controller: AbortController;
  /** Settings of the client; null if it sent no session id. */
  readonly settings: SettingsStore | null;
  /** Returns true once the client has cancelled the request, which then gets no response. */
  isCancelled(): boolean;
  /** Makes one request of a batch cancellable. Returns a function that ends this. */
  readonly onRun?: (id: RequestId, cancel: () => void) => () => void;
  /** Lets a server object of the SDK handle the request: it is closed on cancellation, and ends the exchange. */
  handleBy(server: Server): void;
  /** Lets the exchange outlast its handler, which calls `end`. */
  handleLater(): void;
  /** Ends the exchange unless it outlasts its handler. */
  endUnhandled(): void;
  end(): void;
}

export interface Exchanges {
  /** Begins an exchange with the message of a POST. */
  begin(request: Request, account: string, message: unknown): Exchange;
  /** Passes on a message that concerns another exchange of this process. Returns true if it did. */
  receive(request: Request, account: string, message: unknown): boolean;
  /** Like `receive`, in the other processes of the server. */
  forward(request: Request, account: string, message: unknown): Promise<void>;
  /** Adds a session id to the response to an `initialize` of a revision with sessions. */
  withSession(response: Response, account: string, message: unknown): Response;
}

/**
 * Connects the POSTs of one client at a URL without sessions: a notification cancels the request of another POST, and an
 * answer reaches the tool that asked. Clients are told apart by account and session id. Nothing is stored longer than
 * its exchange, except a bounded number of settings.
 */
export function createExchanges(ids: Ids, peers?: Peers): Exchanges {
  const requests = createRecipients<null>("mcp_cancel", peers);
  const questions = createRecipients<JSONRPCMessage>("mcp_answer", peers);
  const settingsOf = createSessionSettings(peers);

  /** Gives questions to the client ids that are unique among all its exchanges. */
  const routeAnswers = (transport: Transport, session: string, onEnd: (end: () => void) => void) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message && "id" in message)) return send(message, options);
      const id = ids.uuid();
      const answer = (answered: JSONRPCMessage, extra?: MessageExtraInfo) =>
        transport.onmessage?.({ ...answered, id: message.id } as JSONRPCMessage, extra);
      onEnd(questions.add(addressOf(session, id), answer));
      return send({ ...message, id }, options);
    };
  };

  return {
    begin(request, account, message) {
      const session = sessionOf(request, account);
      const controller = new AbortController();
      const ends: (() => void)[] = [];
      let cancelled = false;
      let handled = false;
      const id = requestIdOf((message as { id?: unknown } | null)?.id);
      if (session !== null && id !== null) {
        const cancel = () => {
          cancelled = true;
          controller.abort();
        };
        ends.push(requests.add(addressOf(session, id), cancel));
      }
      const end = () => {
        for (const each of ends.splice(0)) each();
      };
      return {
        controller,
        settings: session === null ? null : settingsOf(session),
        isCancelled: () => cancelled,
        ...(session !== null &&
          Array.isArray(message) && {
            onRun: (id, cancel) => requests.add(addressOf(session, id), cancel),
          }),
        handleBy(server) {
          handled = true;
          server.onclose = end;
          if (session === null) return;
          controller.signal.addEventListener("abort", () => void server.close(), { once: true });
          const connect = server.connect.bind(server);
          server.connect = (transport) => {
            routeAnswers(transport, session, (each) => ends.push(each));
            return connect(transport);
          };
        },
        handleLater() {
          handled = true;
        },
        endUnhandled() {
          if (!handled) end();
        },
        end,
      };
    },
    receive(request, account, message) {
      const session = sessionOf(request, account);
      if (session === null) return false;
      const id = cancelledId(message);
      if (id !== null) return requests.deliver(addressOf(session, id), null);
      return isAnswer(message) && questions.deliver(addressOf(session, message.id), message);
    },
    async forward(request, account, message) {
      const session = sessionOf(request, account);
      if (session === null) return;
      const id = cancelledId(message);
      if (id !== null) await requests.forward(addressOf(session, id), null);
      else if (isAnswer(message)) await questions.forward(addressOf(session, message.id), message);
    },
    withSession(response, account, message) {
      const params = sessionRequest(message);
      if (params === null || !response.ok) return response;
      const id = ids.uuid();
      if (supportsForms(params.capabilities)) settingsOf(sessionKey(account, id)).set({ canAsk: true });
      response.headers.set(SESSION_HEADER, id);
      return response;
    },
  };
}
