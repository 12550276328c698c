import { A2A_VERSION_HEADER, type Artifact, Extensions } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import type { Context } from "hono";
import type { Principal } from "../../domain/accounts/access.ts";
import type { SkillCall } from "./skill-call.ts";

/** The artifact of a task as whoever asked is told it, and as it is kept. */
export interface ArtifactVersions {
  readonly full: Artifact;
  readonly redacted: Artifact;
}

/** Whose request it is, carried through the SDK beside its own facts. */
export interface A2aRequestState {
  readonly principal: Principal;
  readonly requestId: string;
  /** true: it came by the door of requests that are to be routed. */
  readonly routed: boolean;
  /** What the message asks, once it was read. */
  skillCall?: SkillCall;
  /** What it came to, where not all of it may be kept. */
  artifactVersions?: ArtifactVersions;
  /** true once the request was understood and handed over: what fails from then on is not its shape. */
  understood: boolean;
}

const REQUEST_STATE_KEY = "seat";

/** The SDK's context of one request of this caller. */
export function callContextOf(
  seat: Pick<A2aRequestState, "principal" | "requestId"> & Partial<Pick<A2aRequestState, "routed">>,
  { version, extensions }: { readonly version: string; readonly extensions: string | undefined },
): ServerCallContext {
  return new ServerCallContext({
    user: { isAuthenticated: true, userName: seat.principal.account },
    requestedVersion: version,
    state: new Map([
      [REQUEST_STATE_KEY, { routed: false, ...seat, understood: false } satisfies A2aRequestState],
    ]),
    ...(extensions !== undefined && { requestedExtensions: Extensions.parseServiceParameter(extensions) }),
  });
}

/** The protocol version a request names; one that names none speaks 0.3. */
export const versionOf = ({ req }: Context): string =>
  req.header(A2A_VERSION_HEADER) || req.query(A2A_VERSION_HEADER) || "0.3";

/** The seat of a request. */
export const requestStateOf = (context: ServerCallContext): A2aRequestState =>
  context.state.get(REQUEST_STATE_KEY) as A2aRequestState;
