import { z } from "zod";
import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import type { Scope } from "../../domain/accounts/access.ts";
import type { AppLimitsChange } from "../../domain/accounts/connected-apps.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Said of the request of an app whose time has passed. */
export const REQUEST_TOO_OLD = "The request of the app is too old: connect again from the app.";

/** Daily limits of an app as a page sends them. A limit that is left out stays as it is. */
const LIMITS = {
  calls_daily: z.number().nullable().optional(),
  live_usd_daily: z.string().nullable().optional(),
};
const ConsentBody = z.looseObject({
  accept: z.boolean(),
  oauth_query: z.string(),
  limits: z.strictObject(LIMITS).optional(),
});

export const LimitsBody = z.strictObject({
  client_id: z.string().min(1).max(2_000),
  ...LIMITS,
});

/** The answer of a person to an app. */
export interface Consent {
  readonly accept: boolean;
  readonly client: string;
  readonly limits: AppLimitsChange | undefined;
  /** Whether the app asks for something that only a recent session may allow. */
  readonly needsRecent: boolean;
  /** The body without the limits, as better-auth reads it. */
  readonly body: string;
}

/** Scopes that a session may allow an app only within an hour of its begin. */
const RECENT_SCOPES: ReadonlySet<string> = new Set<Scope>(["trade:live", "admin"]);

/** Returns true for scopes that only a recent session may allow an app. */
export const needsRecentSession = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => RECENT_SCOPES.has(scope));

/** Reads the body of an answer to an app. @throws ToolError INVALID_INPUT */
export function consentIn(body: string): Consent {
  try {
    const { limits, ...answer } = ConsentBody.parse(JSON.parse(body));
    const query = new URLSearchParams(answer.oauth_query);
    return {
      accept: answer.accept,
      client: query.get("client_id") ?? "",
      limits,
      needsRecent: needsRecentSession((query.get("scope") ?? "").split(" ")),
      body: JSON.stringify(answer),
    };
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "An answer to an app has the fields accept and oauth_query", {
      hint: "Optional: limits, with calls_daily (number or null) and live_usd_daily (text or null).",
      cause,
    });
  }
}

/** Returns true for an answer of better-auth that leads back to the app with a code; others allow nothing. */
export async function isAllowed(response: Response, { url: base }: Request): Promise<boolean> {
  if (!response.ok) return false;
  const { url } = z.looseObject({ url: z.string() }).parse(await response.clone().json());
  const to = new URL(url, base);
  // a query of an app may hold anything, also on the way to the sign-in
  return to.searchParams.has("code") && to.pathname !== SIGN_IN_PATH;
}
