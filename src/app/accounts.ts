import type { OpenedAccounts } from "../transports/cli/host.ts";
import type { Installation } from "./installation.ts";

/** Days whose calls `accounts show` adds up. */
const SHOWN_DAYS = 30;

/** Returns the accounts of an installation for commands. Rejects with SetupError if the master key is missing. */
export async function openedAccounts({
  accounts,
  peopleAdmin,
  usage,
  secretStore,
  clock,
  close,
}: Omit<Installation, "meters" | "windows">): Promise<OpenedAccounts> {
  await secretStore.verify();
  return {
    accounts,
    people: peopleAdmin,
    async usage(account) {
      const since = new Date(clock.now().getTime() - (SHOWN_DAYS - 1) * 86_400_000);
      const sums = await usage.read({ account, since: since.toISOString().slice(0, 10), by: "day" });
      const total = (field: "calls" | "failed" | "characters") =>
        sums.reduce((sum, day) => sum + day[field], 0);
      return {
        days: SHOWN_DAYS,
        calls: total("calls"),
        failed: total("failed"),
        characters: total("characters"),
      };
    },
    close,
  };
}
