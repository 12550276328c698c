import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Server,
  Transport,
} from "@modelcontextprotocol/server";
import type { Ids, Log } from "../../domain/ports.ts";
import {
  createSessionSettings,
  type SessionSettingsOptions,
  type SettingsStore,
  userSettings,
} from "./client-settings.ts";
import { createRecipients } from "./recipients.ts";
import {
  addressOf,
  cancelledId,
  isAnswer,
  requestIdOf,
  SESSION_HEADER,
  type Session,
  sessionOf,
  sessionRequest,
} from "./session.ts";
import { supportsViews } from "./views.ts";

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
  /** Loads the settings of the client of a request; undefined if they are known or it has no session. */
  load(request: Request, account: string): Promise<void> | undefined;
  /** Begins an exchange with the message of a POST. */
  begin(request: Request, account: string, message: unknown): Exchange;
  /** Passes on messages that concern other exchanges of this process. Returns true if all of them do. */
  receive(request: Request, account: string, body: unknown): boolean;
  /** Like `receive`, in the other processes of the server. */
  forward(request: Request, account: string, body: unknown): Promise<void>;
  /** Adds a session id to the response to an `initialize` of a revision with sessions. */
  withSession(response: Response, account: string, message: unknown): Response | Promise<Response>;
}

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/** Returns the address that a message is for, with the answer to a question; null for a message to the server itself. */
function addressed(
  session: Session,
  message: unknown,
): { readonly address: string; readonly answer: JSONRPCMessage | null } | null {
  const id = cancelledId(message);
  if (id !== null) return { address: addressOf(session, id), answer: null };
  return isAnswer(message) ? { address: addressOf(session, message.id), answer: message } : null;
}

/**
 * Connects the POSTs of one client at a URL without sessions: a notification cancels the request of another POST, and an
 * answer reaches the tool that asked. Clients are told apart by account and session id. Nothing is stored longer than
 * its exchange, except a bounded number of settings.
 */
export function createExchanges(
  { ids, log }: { readonly ids: Ids; readonly log?: Pick<Log, "warn"> },
  { peers, clientSessions }: Pick<SessionSettingsOptions, "peers" | "clientSessions"> = {},
): Exchanges {
  const requests = createRecipients<null>("mcp_cancel", peers);
  const questions = createRecipients<JSONRPCMessage>("mcp_answer", peers);
  const settings = createSessionSettings({
    ...(peers && { peers }),
    ...(clientSessions && { clientSessions }),
    ...(log && { log }),
  });

  /** Gives questions to the client ids that are unique among all its exchanges. */
  const routeAnswers = (transport: Transport, session: Session, onEnd: (end: () => void) => void) => {
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
    load(request, account) {
      const session = sessionOf(request, account);
      return session === null ? undefined : settings.load(session);
    },
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
        settings: session === null ? null : settings.of(session),
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
    receive(request, account, body) {
      const session = sessionOf(request, account);
      if (session === null) return false;
      const received = messagesOf(body).map((message) => {
        const found = addressed(session, message);
        if (found === null) return false;
        return found.answer === null
          ? requests.deliver(found.address, null)
          : questions.deliver(found.address, found.answer);
      });
      return received.length > 0 && received.every((each) => each);
    },
    async forward(request, account, body) {
      const session = sessionOf(request, account);
      if (session === null) return;
      for (const message of messagesOf(body)) {
        const found = addressed(session, message);
        if (found === null) continue;
        if (found.answer === null) await requests.forward(found.address, null);
        else await questions.forward(found.address, found.answer);
      }
    },
    withSession(response, account, message) {
      const params = sessionRequest(message);
      if (params === null || !response.ok) return response;
      const id = ids.uuid();
      const showsViews = supportsViews(params.capabilities);
      const user = userSettings(params.capabilities);
      const isDefault = !user.canAsk && !user.canOpen && !showsViews;
      response.headers.set(SESSION_HEADER, id);
      const begun = settings.begin({ account, id }, isDefault ? {} : { ...user, showsViews });
      return isDefault ? response : begun.then(() => response);
    },
  };
}
