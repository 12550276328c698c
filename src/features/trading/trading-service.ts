import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import { createTradeOwner, type TradeOwnerPorts } from "./trade-owner.ts";

/** Creates the owner's trading operations for one market. */
export const createTradingService = ({
  access,
  owner,
  ports,
  close,
}: {
  readonly access: { list(): Promise<readonly { readonly account: string }[]> };
  readonly owner: Principal;
  readonly ports: TradeOwnerPorts & Pick<Ports, "symbols" | "brokers">;
  close(): Promise<void>;
}) => ({
  ...createTradeOwner(ports),
  limits: ports.tradeRules.limits,
  killSwitch: ports.tradeRules.killSwitch,
  symbols: ports.symbols,
  live: ports.brokers.live,
  close,
  /** Account names on this server. */
  async accounts(): Promise<readonly string[]> {
    const accounts = (await access.list()).map(({ account }) => account);
    return [...new Set([owner.account, ...accounts])];
  },
});
