import { z } from "zod";
import { ComputedPrice, Price, Ratio } from "../figures.ts";

/** Wyckoff phase of a market; Undetermined if no rule matches. @see Wyckoff (1931) */
export const WYCKOFF_PHASES = [
  "Accumulation",
  "Markup",
  "Reaccumulation",
  "Distribution",
  "Markdown",
  "Redistribution",
  "Undetermined",
] as const;
export const WyckoffPhase = z.enum(WYCKOFF_PHASES);
export type WyckoffPhase = z.infer<typeof WyckoffPhase>;

/** Names of the events of a trading range. */
const EVENT_NAMES = {
  PS: "Preliminary support",
  SC: "Selling climax",
  AR: "Automatic rally",
  ST: "Secondary test",
  SPRING: "Spring",
  SOS: "Sign of strength",
  LPS: "Last point of support",
  BU: "Back-up",
  PSY: "Preliminary supply",
  BC: "Buying climax",
  UT: "Upthrust",
  UTAD: "Upthrust after distribution",
  SOW: "Sign of weakness",
  LPSY: "Last point of supply",
} as const;
export type WyckoffEventType = keyof typeof EVENT_NAMES;
export const WYCKOFF_EVENTS = Object.keys(EVENT_NAMES) as [WyckoffEventType, ...WyckoffEventType[]];

/** Side of its bar on which an event lies: `top` at a high, `bottom` at a low. */
export const EventSide = z.enum(["top", "bottom"]);
export type EventSide = z.infer<typeof EventSide>;

/** Returns the name of an event. An AR is a rally after a selling climax, a reaction after a buying climax. */
export const eventName = (type: WyckoffEventType, side: EventSide): string =>
  type === "AR" && side === "bottom" ? "Automatic reaction" : EVENT_NAMES[type];

const Moment = z.string().describe("Bar start: date, or ISO 8601 UTC");

/** One event of a trading range; later bars change only its status. */
export const WyckoffEventRow = z.object({
  type: z.enum(WYCKOFF_EVENTS),
  name: z.string().optional().describe("Only with detail full"),
  side: EventSide.describe("top: a high of the range, drawn above its bar; bottom: a low, drawn below"),
  date: Moment,
  price: Price,
  confirmed_at: Moment.nullable().describe("Bar at whose close it was confirmed; null while pending"),
  status: z.enum(["pending", "confirmed", "void"]),
  spring_type: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe("1 heavy, 2 normal, 3 light volume; null except for springs"),
  tested_at: Moment.nullable()
    .optional()
    .describe(
      "Bar of a light-volume test: a higher low after a spring, a lower high after a UTAD; null without one",
    ),
});
export type WyckoffEventRow = z.infer<typeof WyckoffEventRow>;

export const WyckoffBlock = z.object({
  phase: WyckoffPhase,
  sub_phase: z.enum(["A", "B", "C", "D", "E"]).nullable(),
  narrative: z.string().describe("Evidence in words, with dates and prices"),
  range: z
    .object({ low: Price, high: Price, from: Moment, to: Moment })
    .nullable()
    .describe("Trading range behind the phase"),
  events: z.array(WyckoffEventRow).describe("Events of the newest range, oldest first"),
});
export type WyckoffBlock = z.infer<typeof WyckoffBlock>;

/** The Elliott block; while `available` is false no path is drawn and every figure is null. */
export const ElliottBlock = z.object({
  available: z.boolean(),
  label: z.string().nullable().describe("e.g. Wave 3 of 5"),
  pattern: z.string().nullable().describe("impulse, zigzag, flat"),
  direction: z.enum(["up", "down"]).nullable().describe("Direction of the whole pattern"),
  target: ComputedPrice.nullable().describe("Next Fibonacci target"),
  targets: z.array(z.object({ ratio: Ratio, price: ComputedPrice })),
  invalidation: Price.nullable().describe("Price that invalidates the count"),
  guidelines_met: Ratio.nullable().describe("Share of guidelines met, 0-1; a count is valid without them"),
  rivals: z.number().int().describe("Other valid counts of the same swings"),
  path: z.array(z.object({ wave: z.string(), date: Moment, price: Price })),
  violated: z.array(z.string()).describe("Ids of the hard rules that the best candidate violates"),
  reason: z.string().nullable(),
});
export type ElliottBlock = z.infer<typeof ElliottBlock>;
