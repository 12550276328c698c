import { TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { PushNotificationStore, ServerCallContext } from "@a2a-js/sdk/server";
import type { Clock, Ids } from "../../domain/ports.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { deleteRows, listRows, type MarketDb, upsert } from "../queries.ts";

/** Configurations stored per account; the oldest are deleted first. */
const MAX_NOTIFICATIONS = 200;

interface A2aPushOptions extends MarketDb {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Default: 200. */
  readonly maxNotifications?: number;
}

/**
 * Creates the store of A2A push notification configurations, by account and market. The URL and its credentials are
 * stored as secrets.
 */
export function a2aPush({
  db,
  market,
  secrets,
  clock,
  ids,
  maxNotifications = MAX_NOTIFICATIONS,
}: A2aPushOptions): Required<PushNotificationStore> {
  const accountOf = ({ user }: ServerCallContext) => user?.userName ?? "";
  const nameOf = (task: string, id: string) => `a2a-push|${market}|${task}|${id}`;

  async function remove(account: string, task: string, id: string): Promise<void> {
    const deleted = await deleteRows(db, "a2a_push", { account, market, task, id });
    if (deleted > 0) await secrets.remove(account, nameOf(task, id));
  }

  async function deleteOldest(account: string): Promise<void> {
    const old = await listRows(
      db,
      "a2a_push",
      { account, market },
      {
        columns: ["task", "id"],
        order: ["saved_at desc", "id desc"],
        limit: 1_000,
        offset: maxNotifications,
      },
    );
    for (const { task, id } of old) await remove(account, task, id);
  }

  const loadWithMetadata: Required<PushNotificationStore>["loadWithMetadata"] = async (task, context) => {
    const account = accountOf(context);
    const rows = await listRows(db, "a2a_push", { account, market, task }, { order: ["saved_at", "id"] });
    const found = await Promise.all(
      rows.map(async ({ id, wire_version: wireVersion }) => {
        const text = await secrets.open(account, nameOf(task, id));
        if (text === null) return [];
        return [{ config: TaskPushNotificationConfig.fromJSON(JSON.parse(text)), wireVersion }];
      }),
    );
    return found.flat();
  };

  return {
    async save(task, context, config) {
      const account = accountOf(context);
      if (config.id === "") config.id = ids.uuid();
      const { id } = config;
      const text = JSON.stringify(TaskPushNotificationConfig.toJSON({ ...config, taskId: task }));
      await secrets.save(account, nameOf(task, id), text);
      const row = { wire_version: context.requestedVersion, saved_at: clock.now().toISOString() };
      await upsert(db, "a2a_push", { account, market, task, id }, row);
      await deleteOldest(account);
    },
    loadWithMetadata,
    load: async (task, context) => (await loadWithMetadata(task, context)).map(({ config }) => config),
    delete: (task, context, id = task) => remove(accountOf(context), task, id),
  };
}
