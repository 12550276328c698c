import { z } from "zod";

/** Stored state of a price condition for one symbol. */
const PriceState = z.object({
  /** Side of the levels at the last change; absent until a current price has armed the condition. */
  above: z.boolean().optional(),
  below: z.boolean().optional(),
  /** Time of that price, ISO 8601 UTC. */
  at: z.string().optional(),
  /** Why the newest price cannot trigger an alert: it is too old or not confirmed; absent if it can. */
  stale: z.string().optional(),
});
export type PriceState = z.infer<typeof PriceState>;

/** Parses the stored state; null without one. */
export const parsePriceState = (text: string | undefined): PriceState | null =>
  text === undefined ? null : PriceState.parse(JSON.parse(text));

const MAX_REASONS = 3;

/** Returns why an active price condition cannot trigger for some of its symbols; null if it can for all. */
export function stalePriceReasons(seen: Readonly<Record<string, string>>): string | null {
  const reasons = Object.values(seen).flatMap((text) => parsePriceState(text)?.stale ?? []);
  if (reasons.length === 0) return null;
  const more = reasons.length - MAX_REASONS;
  return [
    ...reasons.slice(0, MAX_REASONS),
    ...(more > 0 ? [`The prices of ${more} more symbols cannot trigger an alert either.`] : []),
  ].join(" ");
}
