import { plainText } from "../../lib/plain-text.ts";
import { formatTable } from "../table.text.ts";
import type { Paint } from "../terminal.ts";
import type { AppLimits, ConnectedAppUse } from "./connected-apps.ts";

const MAX_NAME = 60;
const MAX_ID = 300;

/** Describes the limits of an app in one phrase. */
export function describeAppLimits({ calls_daily, live_usd_daily }: AppLimits): string {
  const calls = calls_daily === null ? "calls as the account" : `${calls_daily} calls a day`;
  const live =
    live_usd_daily === null
      ? "live orders as the account"
      : Number(live_usd_daily) === 0
        ? "no live orders"
        : `${live_usd_daily} USD of live orders a day`;
  return `${calls}, ${live}`;
}

/** Returns the name of an app as lists show it; null: it states none. */
export const appNameText = (name: string | null): string | null =>
  name === null ? null : plainText(name, MAX_NAME);

/** Formats connected apps as a table, its columns in order of importance. */
export function formatApps(apps: readonly ConnectedAppUse[], paint: Paint): readonly string[] {
  if (apps.length === 0) return ["No apps."];
  const columns: readonly (readonly [string, (app: ConnectedAppUse) => string])[] = [
    ["name", ({ name }) => appNameText(name) ?? "-"],
    ["id", ({ client_id }) => plainText(client_id, MAX_ID)],
    // refused calls are among them and do not count towards the limit, so it is not shown as a part of it
    ["today", ({ calls_today }) => String(calls_today)],
    ["calls limit", ({ limits }) => limits.calls_daily?.toString() ?? "none"],
    [
      "live USD",
      ({ live_usd_24_hours, limits }) => `${live_usd_24_hours} of ${limits.live_usd_daily ?? "any"}`,
    ],
    ["scopes", ({ scopes }) => scopes.join(",")],
    ["last used", ({ last_used_at }) => last_used_at ?? "never"],
    ["orders", ({ orders_30_days }) => String(orders_30_days)],
    ["30 days", ({ calls_30_days }) => String(calls_30_days)],
    ["connected", ({ connected_at }) => connected_at],
  ];
  return formatTable(
    apps,
    columns.map(([head, cell], rank) => ({ head, cell, rank })),
    paint,
  );
}
