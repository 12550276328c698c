import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { assertSessions } from "../../../src/store/postgres/session-check.ts";
import { onPostgres, POSTGRES_URL } from "../../support/postgres.ts";

const refusal =
  /^DATABASE_URL is the address of a pooler .* Set DATABASE_DIRECT_URL to the address of PostgreSQL itself/;

onPostgres.describe("the check of the connection for messages", () => {
  it("accepts PostgreSQL itself", async () => {
    await assertSessions(POSTGRES_URL!, "DATABASE_URL");
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
