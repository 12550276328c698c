import { join } from "node:path";
import { expect, it } from "vitest";
import { appRepository } from "../../../src/store/accounts/connected-apps.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { tradeRepository } from "../../../src/store/trading/trade-repository.ts";
import { intent } from "../../providers/broker-contract.ts";
import { runChild } from "../../support/child.ts";
import { saveAllowedApp } from "../../support/connected-apps.ts";
import { keepConnections } from "../../support/connection-row.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { paperConnection } from "../../support/vault.ts";

const ORDERS = 24;
const T0 = "2026-01-15T15:00:00.000Z";
const clock = { now: () => new Date(T0) };
const digits = (n: number) => String(n).padStart(20, "0");

it("live orders of an app on many connections in several processes never exceed its limit", async () => {
  const dataDir = join(tempDir(), "data");
  const store = await openStore({ dataDir, clock });
  const { db } = store;
  await saveAllowedApp(db, { account: "ada", client: "abc", at: T0 });
  const apps = appRepository(db);
  await apps.saveLimits("ada", "abc", { calls_daily: null, live_usd_daily: "1000" }, T0);
  const numbers = Array.from({ length: ORDERS }, (_, n) => n);
  await keepConnections(
    db,
    "ada",
    numbers.map((n) => paperConnection(n, { connection_id: `cn_${n}` })),
  );
  const repository = tradeRepository({ db, market: "test" });
  const order = intent("AAPL");
  for (const n of numbers)
    await repository.saveTicket("ada", {
      id: `tk_${digits(n)}`,
      connection: `cn_${n}`,
      market: "test",
      intent: order,
      shown: {},
      createdAt: T0,
      expiresAt: "2026-01-15T15:05:00.000Z",
      order: null,
      confirmedAt: null,
    });
  const source = (rest: number) => `
    import { openStore } from "./src/store/open-store.ts";
    import { tradeRepository } from "./src/store/trading/trade-repository.ts";
    const T0 = ${JSON.stringify(T0)};
    const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, clock: { now: () => new Date(T0) } });
    const repository = tradeRepository({ db: store.db, market: "test" });
    const numbers = ${JSON.stringify(numbers.filter((n) => n % 2 === rest))};
    const results = await Promise.allSettled(numbers.map((n) => {
      const digits = String(n).padStart(20, "0");
      const order = { order_id: "or_" + digits, ticket_id: "tk_" + digits, connection_id: "cn_" + n,
        client_order_id: "ms-" + digits, intent: ${JSON.stringify(order)}, state: "submitting", broker_status: null,
        filled_quantity: "0", average_price: null, fees: "0", reason: null, market: "test", created_at: T0, updated_at: T0 };
      return repository.begin("ada", order, { after: null, type: "live", app: { id: "abc", usd: "100.01" } });
    }));
    console.log(results.filter(({ value }) => value === true).length,
      results.filter(({ reason }) => reason?.code === "REFUSED").length);
    await store.close();`;
  const outputs = await Promise.all([0, 1].map((rest) => runChild(source(rest))));
  const [sent, refused] = [0, 1].map((at) =>
    outputs.reduce((sum, text) => sum + Number(text.trim().split(" ")[at]), 0),
  );
  expect([sent, refused]).toEqual([9, 15]);
  expect((await apps.orders("ada", clock.now())).get("abc")).toEqual({
    orders_30_days: 9,
    live_usd_24_hours: "900.09",
  });
  await store.close();
});
