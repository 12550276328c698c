import type { Principal } from "../domain/access.ts";
import type { AuditBook } from "../ports/audit.ts";
import type { Clock, Ports } from "../ports/index.ts";
import type { Access } from "./access.ts";
import { checkAudit, type Kept } from "./audit-check.ts";
import type { Custody } from "./custody.ts";
import { type TradeOwnerPorts, tradeOwner } from "./trade-owner.ts";

interface Closing {
  close(): Promise<void>;
}

/** The audit log of a data folder, as its owner looks at it. */
export const auditDesk = ({
  auditBook: book,
  custody: { vault },
  clock,
  close,
}: Closing & { readonly auditBook: AuditBook; readonly custody: Custody; readonly clock: Clock }) => ({
  check: (kept: Kept) => checkAudit({ book, vault }, kept),
  ...{ entries: book.entries, now: clock.now, close },
});

/** What the owner of a running market decides about trades. */
export const tradingDesk = ({
  access,
  owner,
  ports,
  close,
}: Closing & {
  readonly access: Pick<Access, "list">;
  readonly owner: Principal;
  readonly ports: TradeOwnerPorts & Pick<Ports, "symbols" | "brokers">;
}) => ({
  ...tradeOwner(ports),
  ...{ limits: ports.tradeRules.limits, killSwitch: ports.tradeRules.killSwitch },
  ...{ symbols: ports.symbols, live: ports.brokers.live, close },
  /** Those there are here, by name. */
  async accounts(): Promise<readonly string[]> {
    const named = (await access.list()).map(({ account }) => account);
    return [...new Set([owner.account, ...named])];
  },
});
