import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import { createCompute } from "../../src/compute/compute.ts";
import type { Principal, Window } from "../../src/domain/accounts/access.ts";
import type { Market } from "../../src/domain/market/market.ts";
import type { BacktestRecord, Backtests, Clock, Ids, Log, Meters, Ports } from "../../src/domain/ports.ts";
import type { TradeRules } from "../../src/domain/trading/trading-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import type { RuntimePorts } from "../../src/kernel/invoke.ts";

/** A Thursday, 10:00 in New York. */
export const NOW = new Date("2026-01-15T15:00:00.000Z");

export const pro: Principal = { account: "pro", plan: "pro", scopes: ["read", "write", "trade:paper"] };
export const member: Principal = { account: "member", plan: "member", scopes: ["read"] };
export const anonymous: Principal = { account: "address:127.0.0.1", plan: "open", scopes: ["read"] };

/** A market of simulated prices, the default of a deployment without settings. */
export const sampleMarket: Market = { mode: "sample", id: "test" };

/** Runs all computations on the thread of the test. */
export const inlineCompute = () => createCompute({ threads: 0, log: collectingLog().log });

export const stoppedClock = (at = NOW): Clock => ({ now: () => at });

/** UUIDs that count up from 1: `00000000-0000-4000-8000-000000000001`. */
export function countingIds(): Ids {
  let last = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String(++last).padStart(12, "0")}` };
}

/** A provider or broker that does not respond. */
export const unavailable = (message: string) => async (): Promise<never> => {
  throw new ToolError("UPSTREAM_UNAVAILABLE", message);
};

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly fields: Record<string, unknown>;
}

/** A log that collects its lines and prints none. */
export function collectingLog() {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine["level"]) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, event, fields });
  const log: Log = { info: at("info"), warn: at("warn"), error: at("error") };
  return { log, lines };
}

/** Meters that allow calls up to the quotas, record the debits, and then fail with RATE_LIMITED. */
export function countingMeters(quotas: { readonly burst?: number; readonly day?: number } = {}) {
  const debits = { burst: 0, day: 0 };
  const windows = {
    burst: { name: "burst", quota: quotas.burst ?? 60, window: 60, reset: 30 },
    day: { name: "daily", quota: quotas.day ?? 1000, window: 86_400, reset: 32_400 },
  } as const;
  const debit = async (which: "burst" | "day") => {
    const { name, quota, reset } = windows[which];
    if (debits[which] >= quota)
      throw new ToolError("RATE_LIMITED", `The ${name} limit is used up`, {
        data: { window: name, retry_after: reset },
      });
    debits[which]++;
  };
  const usage = async (): Promise<readonly Window[]> =>
    (["burst", "day"] as const).map((which) => ({
      ...windows[which],
      remaining: windows[which].quota - debits[which],
    }));
  const meters: Meters = {
    countBurst: () => debit("burst"),
    countDaily: () => debit("day"),
    startCall: () => () => {},
    usage,
  };
  return { meters, debits };
}

/** Default limits of an owner, read-only. */
export const usualRules: TradeRules = {
  limits: async () => ({ limits: DEFAULT_LIMITS, set: {}, setAt: null }),
  setLimits: () => Promise.reject(new Error("not available in this test")),
  killSwitch: async () => ({ engaged: false, since: null, reason: null }),
  setKillSwitch: () => Promise.reject(new Error("not available in this test")),
};

/** Backtests in memory, visible to their own account only. */
export function memoryBacktests(): Backtests {
  const stored = new Map<string, BacktestRecord & { readonly account: string }>();
  const withoutAccount = ({ account: _, ...backtest }: BacktestRecord & { readonly account: string }) =>
    backtest;
  return {
    async save(backtest) {
      stored.set(`${backtest.account} ${backtest.id}`, backtest);
    },
    async find(account, id) {
      const found = stored.get(`${account} ${id}`);
      return found === undefined ? null : withoutAccount(found);
    },
    async list(account, limit) {
      const own = [...stored.values()].filter((one) => one.account === account).map(withoutAccount);
      return own
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        .slice(0, limit)
        .map(({ result: _, ...head }) => head);
    },
  };
}

/** New ports for a test: fixed clock, counted ids, recorded log lines, meters without limits. */
export function testPorts(
  overrides: Partial<Ports> = {},
): RuntimePorts & Pick<Ports, "market" | "compute" | "answers"> {
  return {
    clock: stoppedClock(),
    ids: countingIds(),
    log: collectingLog().log,
    meters: countingMeters().meters,
    market: sampleMarket,
    compute: inlineCompute(),
    answers: { remember: (_, compute) => compute() },
    ...overrides,
  };
}
