import { lossPct, minutesSince } from "../../analytics/risk/loss-rules.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import { asToolError, type ToolError } from "../../kernel/errors.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import { isAhead } from "../../lib/expiry.ts";
import { beforeTimeout, brokerFailure, readOncePerMinute } from "./current-positions.ts";
import { sentUnconfirmed } from "./execute.ts";
import { defaultConnection, resolveConnection } from "./resolve-connection.ts";
import { type AccountStatePorts, readAccountState } from "./situation.ts";

export type LimitUsePorts = AccountStatePorts & Pick<Ports, "brokers" | "connections" | "cache">;

/** How much of the limits is used; `failure` is why it is unknown. */
export interface LimitUse {
  /** null: no connection could be chosen. */
  readonly connection: string | null;
  /** In the unit of each limit; limits of single orders have none. */
  readonly used: Partial<Readonly<Record<keyof RiskLimits, string>>>;
  readonly failure: ToolError | null;
}

type Outcome = Pick<LimitUse, "used" | "failure">;

/**
 * Returns how much of the limits an account uses at a connection. Default: as for orders. Writes nothing; an outside
 * broker is read at most once a minute.
 */
export async function readLimitUse(
  principal: Principal,
  requested: string | undefined,
  ports: LimitUsePorts,
): Promise<LimitUse> {
  const { account } = principal;
  const all = await ports.connections.list(account);
  let connection: (typeof all)[number];
  try {
    connection = defaultConnection(all, requested);
  } catch (thrown) {
    if (requested !== undefined) throw thrown;
    return { connection: null, used: {}, failure: asToolError(thrown) };
  }
  const { connection_id: id, connected_at } = connection;
  // the built-in paper account before its first order
  if (connected_at === null) return { connection: id, used: UNUSED, failure: null };
  const read = () => readUse(account, id, ports);
  const outcome = await beforeTimeout(readOncePerMinute("limit use", { principal, connection }, ports, read));
  return { used: {}, ...outcome, connection: id };
}

const UNUSED: LimitUse["used"] = {
  max_open_risk_pct: "0",
  max_daily_loss_pct: "0",
  halt_drawdown_pct: "0",
  max_orders_a_minute: "0",
  cooldown_stop_outs: "0",
  unconfirmed_live_usd: "0",
};

/** Reads the use of the limits from the broker; a failure of the broker is returned, so that it is shared too. */
async function readUse(account: string, id: string, ports: LimitUsePorts): Promise<Outcome> {
  try {
    const connection = await resolveConnection(ports, account, id);
    const state = await readAccountState(account, connection, ports, { stores: false });
    const { openRisk, before, peak, recent, stopOuts, limits } = state;
    const equity = decimal(state.account.equity);
    const now = ports.clock.now().getTime();
    const past = stopOuts.filter((at) => !isAhead(at, now));
    const inCooldown = past.filter(
      (at) => minutesSince([at], now, { stopOuts: 1 })! < limits.cooldown_minutes,
    );
    const percent = {
      max_open_risk_pct: equity.gt(0) ? truncated(decimal(openRisk).times(100).div(equity), 4) : undefined,
      max_daily_loss_pct: decimal(before).gt(0) ? lossPct(decimal(before), equity) : undefined,
      halt_drawdown_pct: maxDecimal(decimal(peak), equity).gt(0)
        ? lossPct(maxDecimal(decimal(peak), equity), equity)
        : undefined,
    };
    const used = {
      ...Object.fromEntries(Object.entries(percent).filter(([, value]) => value !== undefined)),
      max_orders_a_minute: String(recent.orders.length),
      cooldown_stop_outs: String(inCooldown.length),
      unconfirmed_live_usd: await sentUnconfirmed(account, ports),
    };
    return { used, failure: null };
  } catch (thrown) {
    return { used: {}, failure: brokerFailure(thrown) };
  }
}
