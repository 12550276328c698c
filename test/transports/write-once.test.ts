import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { A2A_BINDINGS, a2aClient, callSkill, dataIn, textIn } from "../support/a2a-clients.ts";
import { useInstallation } from "../support/installation.ts";
import { POSTGRES_URL, tablesWith } from "../support/postgres.ts";

const installation = useInstallation("sample", { WEBHOOK_ALLOW: "127.0.0.1" });
let key: string;
beforeAll(async () => {
  ({ key } = await installation.key("pro"));
});

const request = { symbols: ["AAPL"], channel: "webhook", url: "http://127.0.0.1:9999/canary-path" };

/** Returns true if the database contains the text. */
async function isStored(text: string): Promise<boolean> {
  if (POSTGRES_URL !== null) return (await tablesWith(installation.app.store.db, text)).length > 0;
  const folder = join(installation.dir, "data");
  return readdirSync(folder)
    .filter((name) => name.includes(".db"))
    .some((name) => readFileSync(join(folder, name)).includes(text));
}

describe("a write-once field", () => {
  it("is returned once over REST, not stored, and null in a replay", async () => {
    const send = async () => {
      const response = await fetch(`${installation.url}/api/v1/subscriptions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": "write-once",
        },
        body: JSON.stringify(request),
      });
      return { again: response.headers.get("idempotency-replayed"), body: (await response.json()) as any };
    };
    const first = await send();
    expect(first.body.signing_secret).toMatch(/^whsec_/);
    const second = await send();
    expect(second).toEqual({ again: "true", body: { ...first.body, signing_secret: null } });
    expect(await isStored(first.body.signing_secret)).toBe(false);
    expect(await isStored(first.body.subscription.subscription_id)).toBe(true);
  });

  it.each(A2A_BINDINGS)(
    "is returned over %s to the original request only, and null in the stored task",
    async (way) => {
      const client = await a2aClient(installation.url, key, way);
      const own = { ...request, url: `${request.url}/${encodeURIComponent(way)}` };
      const task = await callSkill(client, "create_subscription", own);
      const parts = task.artifacts[0]?.parts;
      const { signing_secret, subscription } = dataIn(parts) as any;
      expect(signing_secret).toMatch(/^whsec_/);
      expect(textIn(parts)).toContain(signing_secret);
      const read = await client.getTask({ id: task.id, tenant: "", historyLength: undefined });
      expect(JSON.stringify(read)).not.toContain("whsec_");
      expect(dataIn(read.artifacts[0]?.parts)).toMatchObject({ signing_secret: null, subscription });
      for (const secret of [signing_secret, "canary-path"]) expect(await isStored(secret)).toBe(false);
    },
  );
});
