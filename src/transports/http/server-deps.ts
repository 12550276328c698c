import type { HttpBindings } from "@hono/node-server";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import type { PeopleAdmin } from "../../access/sign-in/people-admin.ts";
import type { RecoveryCodes } from "../../access/sign-in/recovery-codes.ts";
import type { SignIn } from "../../access/sign-in/sign-in.ts";
import type { StreamTokens } from "../../access/stream-tokens.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { Accounts } from "../../domain/accounts/accounts-port.ts";
import type { ClientSessions } from "../../domain/accounts/client-sessions-port.ts";
import type { Idempotency } from "../../domain/accounts/idempotency-port.ts";
import type { InstallationAdmin } from "../../domain/installation/installation-port.ts";
import type { Operation } from "../../domain/operation-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { AdmittedMessage, Ports } from "../../domain/ports.ts";
import type { TraceContext } from "../../domain/trace.ts";
import type { Confirmations } from "../../domain/trading/confirmations-port.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";

export interface HttpServerDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts & Pick<Ports, "market">;
  /**
   * Returns the principal of a key or, without a key, an `open` principal for the address. Rejects with UNAUTHENTICATED,
   * RATE_LIMITED or, for a suspended account, FORBIDDEN.
   */
  readonly identify: (bearer: string | null, address: string) => Promise<Principal>;
  readonly settings: HttpSettings;
  /** Runs a call that changes data once per idempotency key. Default: idempotency keys are ignored. */
  readonly idempotency?: Idempotency;
  /** Tokens that open streams in place of a key. Default: streams need a key. */
  readonly streamTokens?: StreamTokens;
  /** Who may sign in, and what their apps may do. Default: nobody signs in. */
  readonly peopleAdmin?: PeopleAdmin;
  /** Codes for people who lost their password and passkeys. Default: not served. */
  readonly recoveryCodes?: RecoveryCodes;
  /** Sign-in of people and OAuth for their apps. Default: not served. */
  readonly signIn?: SignIn;
  /** Requests of agents that people decide on in a browser. Default: not served. */
  readonly confirmations?: Confirmations;
  /** Returns the name of a key, or what an app calls itself; null if it is unknown. */
  readonly requesterName?: (account: string, id: string) => Promise<string | null>;
  /**
   * Returns the principal of the access token of an app, which is valid for MCP over HTTP only. Rejects with
   * UNAUTHENTICATED or RATE_LIMITED. Default: tokens are unknown keys.
   */
  readonly identifyApp?: (token: string, address: string) => Promise<Principal>;
  /** Sessions of browsers. Default: a browser needs a key. */
  readonly browserSessions?: BrowserSessions | undefined;
  /** Administration of accounts. Default: not served. */
  readonly accounts?: Accounts;
  /** What the owner sees and does on the page of the installation. Default: not served. */
  readonly installation?: InstallationAdmin;
  /** What the operator watches. Default: neither in /metrics nor in /readyz. */
  readonly operation?: Operation;
  /** Settings of MCP clients by session. Default: those of this process and its peers. */
  readonly clientSessions?: ClientSessions;
  /** The other processes of the server. Default: none. */
  readonly peers?: Peers;
  /** Those on this machine, whose metrics are added to those of this process. Default: none. */
  readonly workers?: Peers;
}

export interface HttpSettings {
  readonly version: string;
  /** Base URL of this server as clients see it, without a trailing slash. */
  readonly publicUrl: string;
  /** true: the owner set that address, and a proxy may stand in front. Default: false. */
  readonly isPublic?: boolean;
  /** Host names accepted in the Host and Origin headers, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the API, or `*` for all. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** true: the client address is the last hop of X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Bearer token required for /metrics; null restricts it to loopback. */
  readonly metricsToken: string | null;
}

/** Request variables that the middleware sets before a transport handles the request. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Trace context of the client; undefined without one. */
    trace: TraceContext | undefined;
    address: string;
    principal: Principal;
    /** The admission of the request; undefined if it was not counted or refused. */
    admitted: AdmittedMessage | undefined;
    /** true once a transport that counts the messages of a request itself has done so. */
    isCounted: boolean;
    /** Resolves the caller again. Rejects with UNAUTHENTICATED if its key or token is no longer valid. */
    resolvePrincipal: () => Promise<Principal>;
    /** Parameters that a 401 adds to its challenge; empty for none. */
    challenge: string;
    /** Headers set on every response, an object of this request. */
    headers: Record<string, string>;
    /** true if the response already contains `headers`. */
    headed: boolean;
  };
}
