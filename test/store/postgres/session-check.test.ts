import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { assertSessions } from "../../../src/store/postgres/session-check.ts";
import { databaseProxy } from "../../proofs/database-proxy.ts";
import { onPostgres, POSTGRES_URL } from "../../support/postgres.ts";

const refusal =
  /^DATABASE_URL is the address of a pooler .* Set DATABASE_DIRECT_URL to the address of PostgreSQL itself/;

onPostgres.describe("the check of the connection for messages", () => {
  it("accepts PostgreSQL itself", async () => {
    await assertSessions(POSTGRES_URL!, "DATABASE_URL");
  });

  it("fails, and does not end the process, if a connection breaks at any moment", async () => {
    const proxy = await databaseProxy(POSTGRES_URL!);
    onTestFinished(() => proxy.close());
    const results: string[] = [];
    for (let ms = 100; ms <= 1_500; ms += 200) {
      proxy.set("slow");
      const checked = assertSessions(proxy.url, "DATABASE_URL").then(
        () => "accepted",
        (cause: unknown) => String(cause),
      );
      await sleep(ms);
      proxy.set("cut");
      results.push(await checked);
    }
    expect(results[0]).toMatch(/ECONNRESET|terminated/);
    for (const result of results)
      expect(result).toMatch(/^accepted$|ECONNRESET|EPIPE|terminated|not queryable/);
  });

  it("refuses a pooler that gives one session to two clients in turn", async () => {
    const session = new pg.Client({ connectionString: POSTGRES_URL! });
    await session.connect();
    onTestFinished(() => session.end());
    const shared = () => ({
      connect: async () => {},
      end: async () => {},
      once: session.once.bind(session),
      query: session.query.bind(session),
    });
    await expect(assertSessions(POSTGRES_URL!, "DATABASE_URL", shared as never)).rejects.toThrow(refusal);
  });
});
