import { newYorkDay } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import type { World } from "./world.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Runs of option trades of a session so far, by the quarter of an hour: every third one swept, every fourth a put. */
export function runsOf(symbol: string, world: World) {
  const price = world.trade(symbol)!.price;
  const expiry = newYorkDay(world.now()) + 30 * DAY;
  const session = sessionOf(new Date(newYorkDay(world.now())).toISOString().slice(0, 10));
  if (session === null) return [];
  const until = Math.min(world.now(), session.close);
  const count = Math.max(0, Math.floor((until - session.open) / (HOUR / 4)));
  return Array.from({ length: count }, (_, i) => {
    const type = i % 4 === 3 ? ("put" as const) : ("call" as const);
    const strike = Math.round(price * (type === "call" ? 1.05 : 0.95));
    return {
      type,
      strike,
      expiry,
      at: session.open + (i + 1) * (HOUR / 4) - 1_000,
      size: 100 + 10 * i,
      price: 2.5,
      trades: i % 3 === 0 ? 8 : 1,
      sweep: i % 3 === 0,
      side: i % 2 === 0 ? 1 : -1,
    };
  });
}

/** Put/call ratios of a date as two decimals; null on days without a session and before they are published. */
export function putCallOf(date: string, world: World) {
  const session = sessionOf(date);
  if (session === null || world.now() < session.close + 1.5 * HOUR) return null;
  const day = Date.parse(date) / DAY;
  const total = 0.85 + 0.1 * Math.sin(day / 9) + 0.02 * Math.sin(2 * day);
  return { total, index: total + 0.2, etp: total + 0.1, equity: total - 0.3 };
}
