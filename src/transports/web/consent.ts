import { z } from "zod";
import type { AppLimitsChange } from "../../domain/accounts/connected-apps.ts";
import { ToolError } from "../../kernel/errors.ts";

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
  /** The body without the limits, as better-auth reads it. */
  readonly body: string;
}

/** Reads the body of an answer to an app. @throws ToolError INVALID_INPUT */
export function consentIn(body: string): Consent {
  try {
    const { limits, ...answer } = ConsentBody.parse(JSON.parse(body));
    const client = new URLSearchParams(answer.oauth_query).get("client_id") ?? "";
    return { accept: answer.accept, client, limits, body: JSON.stringify(answer) };
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "An answer to an app has the fields accept and oauth_query", {
      hint: "Optional: limits, with calls_daily (number or null) and live_usd_daily (text or null).",
      cause,
    });
  }
}
