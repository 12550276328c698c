import { A2A_VERSION_HEADER, type Artifact, Extensions } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import type { Context } from "hono";
import type { Principal } from "../../domain/accounts/access.ts";
import type { AdmittedMessage } from "../../domain/ports.ts";
import type { TraceContext } from "../../domain/trace.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import type { Question } from "./question.ts";
import type { Reply } from "./reply.ts";
import type { SkillCall } from "./skill-call.ts";

/** An artifact as the caller receives it (`full`) and as it is stored (`redacted`). Both have the same id. */
export interface ArtifactVersions {
  readonly full: Artifact;
  readonly redacted: Artifact;
}

/** State of one request, carried through the SDK in its call context. */
export interface A2aRequestState {
  readonly principal: Principal;
  readonly requestId: string;
  /** Trace context of the client. */
  readonly trace: TraceContext | undefined;
  /** The admission of the request. */
  readonly admitted: AdmittedMessage | undefined;
  /** true: the request was sent to the router endpoint. */
  readonly routed: boolean;
  /** Skill call of the message, once parsed. */
  skillCall?: SkillCall;
  /** Question of the task that the message replies to. */
  question?: Question;
  /** What the message means as a reply to the question. */
  reply?: Reply;
  /** true: the message may contain a secret, even if its skill requires none; it is not stored. */
  isSecret: boolean;
  /** Artifact of the task, if it has secrets. */
  artifactVersions?: ArtifactVersions;
  /** true once the params were accepted; later failures are then not caused by malformed params. */
  understood: boolean;
}

const REQUEST_STATE_KEY = "request";

/** Creates the SDK's context of one request. */
export function callContextOf(
  c: Context<HttpEnv>,
  { version, extensions }: { readonly version: string; readonly extensions: string | undefined },
  routed = false,
): ServerCallContext {
  const principal = c.get("principal");
  return new ServerCallContext({
    user: { isAuthenticated: true, userName: principal.account },
    requestedVersion: version,
    state: new Map([
      [
        REQUEST_STATE_KEY,
        {
          principal,
          requestId: c.get("requestId"),
          trace: c.get("trace"),
          admitted: c.get("admitted"),
          routed,
          isSecret: false,
          understood: false,
        } satisfies A2aRequestState,
      ],
    ]),
    ...(extensions !== undefined && { requestedExtensions: Extensions.parseServiceParameter(extensions) }),
  });
}

/** Returns the protocol version of a request without its patch number. `fallback`: the version of a request that names none. Default: 0.3. */
export const versionOf = ({ req }: Context, fallback = "0.3"): string =>
  (req.header(A2A_VERSION_HEADER) || req.query(A2A_VERSION_HEADER) || fallback).replace(
    /^(\d+\.\d+)\.\d+$/,
    "$1",
  );

export const requestStateOf = (context: ServerCallContext): A2aRequestState =>
  context.state.get(REQUEST_STATE_KEY) as A2aRequestState;
