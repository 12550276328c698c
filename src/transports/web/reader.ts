import type { Context } from "hono";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import { RECENT_SECONDS } from "../../access/sign-in/paths.ts";
import type { SignedIn } from "../../domain/accounts/people-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { cookieOf } from "./sign-in-change.ts";

/** Reader of a page of sign-in. */
export interface Reader {
  readonly person: SignedIn;
  /** Whether the session began within the hour, so that it may change how the person signs in. */
  readonly isRecent: boolean;
}

/** Returns the reader of a page; null without a session. */
export async function readerOf(
  c: Context<HttpEnv>,
  sessions: BrowserSessions,
  clock: Clock,
): Promise<Reader | null> {
  try {
    const person = await sessions.person(cookieOf(c));
    return { person, isRecent: clock.now().getTime() - Date.parse(person.since) <= RECENT_SECONDS * 1_000 };
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.code === "UNAUTHENTICATED") return null;
    throw thrown;
  }
}
