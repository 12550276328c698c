import { afterEach, describe, expect, it, vi } from "vitest";
import { createAccess } from "../../src/access/access.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { countingIds } from "../support/context.ts";
import { accessTo, fileStore } from "../support/store.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("an identified key", () => {
  it("is rejected within half a second after another process revokes it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { access, clock, store } = accessTo(await fileStore());
    const dataDir = store.file.slice(0, store.file.lastIndexOf("/"));
    const other = await openStore({ dataDir, clock });
    const elsewhere = createAccess({
      keyring: openKeyring(other.db),
      clock,
      ids: countingIds(),
      schedule: PLAN_SCHEDULES.A,
    });
    const { key, id } = await access.create();
    await expect(access.identify(key)).resolves.toMatchObject({ keyId: id });
    await elsewhere.revoke(id);
    await other.close();
    vi.advanceTimersByTime(501);
    await expect(access.identify(key)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      data: { reason: "revoked" },
    });
  });
});
