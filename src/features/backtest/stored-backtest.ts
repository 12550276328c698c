import { createHash } from "node:crypto";
import { BACKTEST_VERSION } from "../../analytics/backtest/metrics.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { BacktestResult, MAX_BACKTESTS } from "../../domain/backtest/backtest.ts";
import type { Market, Resolution } from "../../domain/market/market.ts";
import type { MemberList } from "../../domain/market/memberships.ts";
import type { Ports } from "../../domain/ports.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";
import { parsePastTime } from "../signal/past-time.ts";
import { toBacktestResult } from "./answer.ts";
import { type BacktestRequest, invalidField, type PlanRequest } from "./plan.ts";
import { type Backtest, executeBacktest } from "./run.ts";
import { recordedTrials } from "./trials.ts";

/** A backtest request as callers write it. */
export interface BacktestInput
  extends Omit<PlanRequest, "params">,
    Pick<BacktestRequest, "timeframe" | "folds"> {
  readonly symbol?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
  /** Name of a list of the market with members over time, traded in place of symbols. */
  readonly members?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cash: number;
  readonly commission: number;
  readonly commission_per_share?: number | undefined;
  /** Default: by asset class. */
  readonly slippage?: number | undefined;
  readonly borrow_rate?: number | undefined;
  readonly benchmark?: string | undefined;
  readonly sizing: BacktestRequest["account"]["sizing"]["kind"];
  readonly size?: number | undefined;
  readonly fractional?: boolean | undefined;
  readonly finalize: boolean;
  /** True applies the loss limits of the caller's account. Default: false. */
  readonly loss_limits?: boolean | undefined;
  readonly null_run: number;
}

interface Caller extends Pick<BacktestRequest, "signal" | "progress"> {
  readonly principal: Principal;
}

/** Maximum number of lists that an error names. */
const MAX_NAMED_LISTS = 20;
const DEFAULT_SIZES = { units: null, percent: 100, volatility: 1, kelly: 0.25 } as const;

/**
 * Runs a backtest and stores it for the account; the id is derived from the request and the bars, so a repetition has
 * the same id.
 */
export async function runAndStoreBacktest(
  typed: BacktestInput,
  ctx: Caller & Pick<Ports, "symbols" | "bars" | "clock" | "compute" | "market" | "backtests" | "tradeRules">,
): Promise<{ readonly result: BacktestResult; readonly alternatives: Resolution["alternatives"] }> {
  const { clock, market, signal, progress, backtests } = ctx;
  const { account } = ctx.principal;
  const limits = typed.loss_limits === true ? (await ctx.tradeRules.limits(account)).limits : null;
  const request = requestOf(typed, { now: clock.now(), limits, market });
  const earlier = recordedTrials(await backtests.list(account, MAX_BACKTESTS), clock.now());
  const run = await executeBacktest({ ...request, signal, progress }, ctx, earlier);
  const now = clock.now();
  const id = backtestId(run, request);
  const result = toBacktestResult(run, request, { market, now, id });
  await backtests.save({
    account,
    id,
    createdAt: now.toISOString(),
    request: { ...typed, trials: run.trials },
    result,
  });
  return { result, alternatives: run.alternatives };
}

/** Derives the id of a backtest from the complete request and the bars. */
function backtestId(
  { plan, account, streams, read, benchmark, inputsHash }: Backtest,
  { timeframe, from, to, sweep = {}, folds, draws, list }: Omit<BacktestRequest, "signal" | "progress">,
): string {
  const grid = Object.entries(sweep).map(([name, text]) => [name, text.replace(/\s/g, "")]);
  const identity = [
    ...[BACKTEST_VERSION, MODEL_VERSION, plan.strategy, plan.rules, timeframe],
    ...[from, to, folds, draws, inputsHash],
    ...[
      account.cash,
      account.commission,
      streams.map(({ slippage }) => slippage),
      account.sizing,
      account.finalize,
    ],
    Object.entries(plan.params).sort(byName),
    grid.sort(byName),
    read.map(({ instrument }) => instrument.symbol),
    streams.map(({ fractional }) => fractional),
    // runs without loss limits keep the ids they had before loss limits existed
    ...(account.cooldown || account.haltDrawdown !== undefined
      ? [account.cooldown ?? null, account.haltDrawdown ?? null]
      : []),
    [account.perShare ?? 0, account.borrow ?? 0, benchmark?.symbol ?? null],
    // runs without a list keep the ids they had before lists existed
    ...(list === undefined ? [] : [read.map(({ memberships }) => memberships)]),
    streams.map(({ dividends }) =>
      dividends === undefined ? null : [...dividends.entries()].filter(isPaid),
    ),
  ];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `bt_${hash.slice(0, 20)}`;
}

const isPaid = ([, amount]: readonly [number, number]): boolean => amount !== 0;

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

/** Returns a list of the market by its name, in any case. @throws ToolError INVALID_INPUT naming the known lists */
function listOf({ memberships = new Map() }: Market, name: string): MemberList {
  const list = memberships.get(name.trim().toUpperCase());
  if (list !== undefined) return list;
  const known = [...memberships.values()].map((one) => one.name).slice(0, MAX_NAMED_LISTS);
  throw invalidField(
    ["members"],
    known.length === 0
      ? "there is no file of memberships: add memberships.csv to the folder of bar files (see docs/backtesting.md)"
      : `is not a list of memberships.csv; known: ${known.join(", ")}`,
  );
}

function requestOf(
  { symbol, symbols, members, params = {}, from, to, null_run, sizing, size, ...typed }: BacktestInput,
  {
    now,
    limits,
    market,
  }: { readonly now: Date; readonly limits: RiskLimits | null; readonly market: Market },
): Omit<BacktestRequest, "signal" | "progress"> {
  if ([symbol, symbols, members].filter((one) => one !== undefined).length !== 1)
    throw invalidField(["symbol"], "set either symbol or symbols, or members alone");
  const list = members === undefined ? undefined : listOf(market, members);
  if (typed.folds === 1) throw invalidField(["folds"], "must be 0 (no folds) or at least 2");
  const { cash, commission, slippage, fractional, finalize, loss_limits: _, ...rest } = typed;
  const { commission_per_share: perShare = 0, borrow_rate: borrow = 0, ...plan } = rest;
  return {
    ...plan,
    params,
    symbols: symbols ?? (list === undefined ? [symbol!] : [...list.members.keys()]),
    list,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : parsePastTime(to, now, "to"),
    draws: null_run,
    account: {
      cash,
      commission,
      slippage,
      ...(perShare > 0 && { perShare }),
      ...(borrow > 0 && { borrow }),
      sizing: { kind: sizing, value: sizeOf(sizing, size) },
      fractional,
      finalize,
      ...(limits !== null && lossRulesOf(limits)),
    },
  };
}

const lossRulesOf = ({
  cooldown_stop_outs: stopOuts,
  cooldown_minutes: minutes,
  halt_drawdown_pct,
}: RiskLimits) => ({
  ...(stopOuts !== null && { cooldown: { stopOuts, minutes } }),
  ...(halt_drawdown_pct !== null && { haltDrawdown: Number(halt_drawdown_pct) }),
});

function sizeOf(kind: BacktestInput["sizing"], size: number | undefined): number | null {
  const wrong = (message: string) => invalidField(["size"], message);
  if (kind === "all_in") {
    if (size !== undefined) throw wrong("must be omitted for all_in");
    return null;
  }
  const value = size ?? DEFAULT_SIZES[kind];
  if (value === null) throw wrong("is required: the number of units per entry");
  if (kind === "percent" && value > 100)
    throw wrong("is a percentage of equity, at most 100: nothing is borrowed");
  if (kind === "volatility" && value > 20) throw wrong("is the percentage of equity at risk, at most 20");
  if (kind === "kelly" && value > 1) throw wrong("is a fraction of the Kelly stake, at most 1");
  return value;
}

/** Loads a stored result by id, or the newest one for the id "latest". @throws ToolError NOT_FOUND */
export async function loadStoredResult(
  id: string,
  { backtests, principal }: Pick<Caller, "principal"> & Pick<Ports, "backtests">,
): Promise<BacktestResult> {
  const [newest] = id === "latest" ? await backtests.list(principal.account, 1) : [];
  const stored = await backtests.find(principal.account, newest?.id ?? id);
  // a result that another version stored in a different format counts as missing
  const { data } = BacktestResult.safeParse(stored?.result);
  if (data !== undefined) return data;
  const name = id === "latest" ? "" : ` ${id}`;
  throw new ToolError("NOT_FOUND", `This account has no backtest${name} in this market`, {
    hint: `Run it again with run_backtest; only the newest ${MAX_BACKTESTS} of an account are stored.`,
  });
}
