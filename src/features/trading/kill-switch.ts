import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { KillSwitch } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";
import { recordAudit } from "./record-audit.ts";

type KillSwitchPorts = Pick<Ports, "tradeRules" | "clock" | "audit" | "log">;
interface KillSwitchChange {
  readonly killSwitch: KillSwitch;
  readonly changed: boolean;
}

/**
 * Engages or releases the kill switch of the caller's account; releasing requires the scope admin. Does nothing when it
 * is already in the requested state. Engaging succeeds even when the audit entry cannot be written; releasing fails then.
 */
export async function changeKillSwitch(
  { engaged, reason }: { readonly engaged: boolean; readonly reason: string | null },
  { account, scopes }: Principal,
  ports: KillSwitchPorts,
): Promise<KillSwitchChange> {
  if (!engaged && !scopes.includes("admin"))
    throw new ToolError("SCOPE_REQUIRED", 'Releasing the kill switch needs the "admin" scope', {
      hint: 'The owner of the server releases it, or creates a key with the scopes "trade:paper" and "admin".',
      command: `market-signal limits release --account ${account}`,
      data: { required_scope: "admin" },
    });
  return applyKillSwitch(account, { engaged, reason }, ports);
}

/** Changes the kill switch without a scope check; `by` is written to the audit entry. */
export async function applyKillSwitch(
  account: string,
  change: { readonly engaged: boolean; readonly reason: string | null; readonly by?: "owner" },
  ports: KillSwitchPorts,
): Promise<KillSwitchChange> {
  const { tradeRules, audit, clock } = ports;
  const { engaged, reason } = change;
  const before = await tradeRules.killSwitch(account);
  if (before.engaged === engaged) return { killSwitch: before, changed: false };
  const now: KillSwitch = { engaged, since: clock.now().toISOString(), reason };
  if (engaged) {
    await tradeRules.setKillSwitch(account, now);
    await recordAudit(ports, account, "kill_switch", change);
  } else {
    await audit.write(account, "kill_switch", change);
    await tradeRules.setKillSwitch(account, now);
  }
  return { killSwitch: now, changed: true };
}
