import type { ProviderPlan } from "./provider-facts.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Massive counts no calls of its paid plans, and recommends fewer than 100 a second. */
const MASSIVE_PAID = [{ calls: 90, perMs: 1_000, atOnce: 10 }] as const;

/** Plans that providers sell, by the value of their plan setting; the first one of each is the default. */
export const PLANS = {
  alpaca: {
    free: {
      about: "200 calls a minute, real-time quotes of IEX, other venues 15 minutes late, indicative options",
      limits: [{ calls: 180, perMs: MINUTE, atOnce: 6 }],
    },
    algo_trader_plus: {
      about: "10,000 calls a minute, real-time quotes, bars and prints of all venues, options of OPRA",
      limits: [{ calls: 9_000, perMs: MINUTE, atOnce: 30 }],
    },
  },
  unusualwhales: {
    personal: { about: "120 calls a minute", limits: [{ calls: 110, perMs: MINUTE, atOnce: 4 }] },
    startup: {
      about: "500 calls a minute and 80,000 a day",
      limits: [
        { calls: 450, perMs: MINUTE, atOnce: 4 },
        { calls: 78_000, perMs: DAY, atOnce: 4 },
      ],
    },
    startup_annual: {
      about: "1,000 calls a minute and 80,000 a day, ten at once",
      limits: [
        { calls: 900, perMs: MINUTE, atOnce: 10 },
        { calls: 78_000, perMs: DAY, atOnce: 10 },
      ],
    },
  },
  massive: {
    free: {
      about: "5 calls a minute, bars after the end of their day",
      limits: [{ calls: 5, perMs: MINUTE, atOnce: 2 }],
    },
    starter: { about: "no limit of calls, 15 minutes late", limits: MASSIVE_PAID },
    developer: { about: "no limit of calls, 15 minutes late, with trades", limits: MASSIVE_PAID },
    advanced: { about: "no limit of calls, in real time", limits: MASSIVE_PAID },
  },
  tiingo: {
    free: {
      about: "50 calls an hour and 1,000 a day",
      limits: [
        { calls: 45, perMs: 60 * MINUTE, atOnce: 2 },
        { calls: 900, perMs: DAY, atOnce: 2 },
      ],
    },
    power: {
      about: "5,000 calls an hour and 50,000 a day",
      limits: [
        { calls: 4_500, perMs: 60 * MINUTE, atOnce: 6 },
        { calls: 45_000, perMs: DAY, atOnce: 6 },
      ],
    },
    commercial: {
      about: "20,000 calls an hour and 150,000 a day",
      limits: [
        { calls: 18_000, perMs: 60 * MINUTE, atOnce: 6 },
        { calls: 140_000, perMs: DAY, atOnce: 6 },
      ],
    },
  },
  fmp: {
    free: { about: "250 calls a day", limits: [{ calls: 200, perMs: DAY, atOnce: 2 }] },
    starter: { about: "300 calls a minute", limits: [{ calls: 270, perMs: MINUTE, atOnce: 4 }] },
    premium: { about: "750 calls a minute", limits: [{ calls: 700, perMs: MINUTE, atOnce: 6 }] },
    ultimate: { about: "3,000 calls a minute", limits: [{ calls: 2_700, perMs: MINUTE, atOnce: 10 }] },
  },
} as const satisfies Record<string, Readonly<Record<string, ProviderPlan>>>;
