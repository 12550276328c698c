import type { HttpBindings } from "@hono/node-server";
import type { Principal } from "../../domain/accounts/access.ts";
import type { Idempotency } from "../../domain/accounts/idempotency-port.ts";
import type { Ports } from "../../domain/ports.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";

/** What every HTTP door is built from. */
export interface HttpServerDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts & Pick<Ports, "market">;
  /** Whoever holds this key; an `open` principal for the address without one. Rejects with UNAUTHENTICATED or RATE_LIMITED. */
  readonly identify: (bearer: string | null, address: string) => Promise<Principal>;
  readonly settings: HttpSettings;
  /** Runs calls that change something once for the key they are sent under; without it such keys mean nothing. */
  readonly idempotency?: Idempotency;
}

export interface HttpSettings {
  readonly version: string;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Host names, without port, that a request may name. */
  readonly allowedHosts: readonly string[];
  /** true: the client address is the last hop of X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Bearer token that opens /metrics; without one only loopback may read it. */
  readonly metricsToken: string | null;
}

/** What the front of the HTTP server has found out before a door answers. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    address: string;
    principal: Principal;
    /** What every answer carries. */
    headers: Readonly<Record<string, string>>;
    /** true: the answer was made with `headers` and needs them no more. */
    headed: boolean;
  };
}
