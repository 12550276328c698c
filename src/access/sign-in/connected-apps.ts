import { appOf, GRANT_PREFIX } from "../../domain/accounts/access.ts";
import {
  AppLimits,
  type AppLimitsChange,
  type AppOrders,
  type AppRepository,
  type ConnectedApps,
  DEFAULT_APP_LIMITS,
  type UnlistedApp,
} from "../../domain/accounts/connected-apps.ts";
import type { People, TokenHolder } from "../../domain/accounts/people-port.ts";
import type { Usage, UsageSum } from "../../domain/accounts/usage-port.ts";
import type { Audit } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { tokenHash } from "./paths.ts";

/** Days whose calls and orders are added up, today included. */
const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;
const NO_ORDERS: AppOrders = { orders_30_days: 0, live_usd_24_hours: "0" };

/** Administration of the apps of accounts, by their people. `by` names who acts; the audit log has an entry for each change. */
export interface AppsAdmin extends ConnectedApps {
  /**
   * Returns the limits that an app gets if a person allows it, and whether they are others than it has. Default of a limit:
   * the one it has, or that of `DEFAULT_APP_LIMITS`. Stores nothing. Rejects with INVALID_INPUT.
   */
  limitsToAllow(
    account: string,
    client: string,
    given?: AppLimitsChange,
  ): Promise<{ readonly limits: AppLimits; readonly isChange: boolean }>;
  /** Records that a person allowed an app, and stores its limits. */
  recordConsent(account: string, client: string, limits: AppLimits, by: string): Promise<void>;
  /** Returns the apps that called for an account within 30 days and have no consent here, those with most calls first. */
  unlistedApps(account: string): Promise<readonly UnlistedApp[]>;
  /** Returns the app that holds an access or a refresh token; null for an unknown token. */
  tokenHolder(token: string): Promise<TokenHolder | null>;
  /** Disconnects an app after it revoked a token, unless it has another token or a code to exchange. */
  recordRevocation(holder: TokenHolder): Promise<void>;
  /** Changes the given limits of a connected app. Rejects with NOT_FOUND, or INVALID_INPUT for other limits. */
  changeLimits(account: string, client: string, change: AppLimitsChange, by: string): Promise<AppLimits>;
}

export interface AppsAdminDeps {
  readonly people: Pick<People, "apps" | "disconnect" | "tokenHolder" | "disconnectUnused">;
  readonly appRepository: AppRepository;
  readonly usage: Pick<Usage, "read">;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Creates the administration of apps. */
export function createAppsAdmin({ people, appRepository, usage, audit, clock }: AppsAdminDeps): AppsAdmin {
  /** Returns the calls of each app of an account by the id of its grant. */
  async function callsSince(account: string, ms: number): Promise<ReadonlyMap<string | null, number>> {
    const sums = await usage.read({ account, since: dayOf(ms), by: "key" });
    return new Map(sums.map(({ name, calls }: UsageSum) => [name, calls]));
  }

  return {
    async apps(account) {
      const now = clock.now();
      const today = await callsSince(account, now.getTime());
      const all = await callsSince(account, now.getTime() - (SHOWN_DAYS - 1) * DAY_MS);
      const orders = await appRepository.orders(account, now);
      // read last: reading the calls stores when each app was used last
      return (await people.apps(account)).map((app) => {
        const grant = `${GRANT_PREFIX}${app.client_id}`;
        return {
          ...app,
          calls_today: today.get(grant) ?? 0,
          calls_30_days: all.get(grant) ?? 0,
          ...(orders.get(app.client_id) ?? NO_ORDERS),
        };
      });
    },
    async disconnect(account, client, by) {
      const caller = appOf(by);
      if (caller !== null && caller !== client) {
        if ((await appRepository.limits(account, client)) === null) throw notConnected();
        throw new ToolError("FORBIDDEN", "An app can disconnect only itself", {
          hint: "A person of the account disconnects other apps on the page /account.",
          command: "market-signal accounts apps <account> --disconnect <app>",
        });
      }
      if (!(await people.disconnect(account, client))) throw notConnected();
      await audit.write(account, "app_disconnected", { by, client });
    },
    async limitsToAllow(account, client, given = {}) {
      const before = (await appRepository.limits(account, client)) ?? DEFAULT_APP_LIMITS;
      const limits = withChange(before, given);
      const isChange =
        limits.calls_daily !== before.calls_daily || limits.live_usd_daily !== before.live_usd_daily;
      return { limits, isChange };
    },
    async recordConsent(account, client, limits, by) {
      await audit.write(account, "app_allowed", { by, client, ...limits });
      await appRepository.saveLimits(account, client, limits, clock.now().toISOString());
    },
    async unlistedApps(account) {
      const since = clock.now().getTime() - (SHOWN_DAYS - 1) * DAY_MS;
      const allowed = new Set((await people.apps(account)).map(({ client_id }) => client_id));
      const found: UnlistedApp[] = [];
      for (const [key, calls_30_days] of await callsSince(account, since)) {
        const client_id = appOf(key);
        if (client_id === null || allowed.has(client_id)) continue;
        const [last] = await usage.read({ account, key: key!, since: dayOf(since), by: "day" });
        found.push({ client_id, last_used_on: last!.name!, calls_30_days });
      }
      return found;
    },
    tokenHolder: (token) => people.tokenHolder(tokenHash(token)),
    async recordRevocation({ account, client }) {
      if (!(await people.disconnectUnused({ account, client }, clock.now().toISOString()))) return;
      await audit.write(account, "app_disconnected", { by: `${GRANT_PREFIX}${client}`, client });
    },
    async changeLimits(account, client, change, by) {
      const app = (await people.apps(account)).find(({ client_id }) => client_id === client);
      if (app === undefined) throw notConnected();
      const limits = withChange(app.limits, change);
      await audit.write(account, "app_limits", { by, client, ...limits });
      await appRepository.saveLimits(account, client, limits, clock.now().toISOString());
      return limits;
    },
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const notConnected = (): ToolError =>
  new ToolError("NOT_FOUND", "This app is not connected to the account", {
    hint: "List the apps first.",
    command: "market-signal accounts apps <account>",
  });

/** Returns changed limits. Throws INVALID_INPUT for invalid limits. */
function withChange(before: AppLimits, { calls_daily, live_usd_daily }: AppLimitsChange): AppLimits {
  const { success, data, error } = AppLimits.safeParse({
    calls_daily: calls_daily === undefined ? before.calls_daily : calls_daily,
    live_usd_daily: live_usd_daily === undefined ? before.live_usd_daily : live_usd_daily,
  });
  if (success) return data;
  const isMoney = error.issues[0]?.path[0] === "live_usd_daily";
  throw new ToolError(
    "INVALID_INPUT",
    isMoney
      ? "The daily limit of live orders is an amount of US dollars, such as 1000"
      : "The daily limit of calls is a whole number from 1 to 1,000,000",
    {
      hint: isMoney
        ? "0: the app sends no live orders. Without a limit: only those of the account."
        : "Disconnect an app that is to make no calls. Without a limit: only those of the account.",
    },
  );
}
