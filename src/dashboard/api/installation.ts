import { errorOf } from "../../client/error.ts";
import type {
  BackupList,
  LogLine,
  NewBackup,
  NewOwnerKey,
  NightlyRunRow,
  OwnerKey,
  ProviderRow,
  SettingRow,
} from "../../domain/installation/installation-port.ts";
import { send } from "./client.ts";

const BASE = "/api/v1/installation";

async function request<Answer>(path: string, method = "GET", body?: object): Promise<Answer> {
  const response = await send(`${BASE}${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

/** What the owner sees and does on the page of the installation. Each call throws MarketSignalError. */
export const installation = {
  keys: () => request<{ readonly keys: readonly OwnerKey[] }>("/keys"),
  createKey: (key: { readonly name: string; readonly scopes: readonly string[] }) =>
    request<NewOwnerKey>("/keys", "POST", key),
  revokeKey: (id: string) => request<object>(`/keys/${encodeURIComponent(id)}`, "DELETE"),
  providers: () => request<{ readonly providers: readonly ProviderRow[] }>("/providers"),
  runs: () => request<{ readonly runs: readonly NightlyRunRow[] }>("/runs"),
  backups: () => request<BackupList>("/backups"),
  backUp: () => request<NewBackup>("/backups", "POST", {}),
  log: () => request<{ readonly lines: readonly LogLine[] }>("/log"),
  settings: () => request<{ readonly settings: readonly SettingRow[] }>("/settings"),
} as const;

/** Returns the address at which a backup is downloaded. */
export const backupUrl = (name: string): string => `${BASE}/backups/${encodeURIComponent(name)}`;
