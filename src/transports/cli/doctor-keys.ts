import { expiresSoon } from "../../domain/accounts/key-expiry.ts";
import { plainText } from "../../lib/plain-text.ts";
import { note } from "./doctor-findings.ts";
import type { Finding, OpenedInstallation } from "./host.ts";

/** Names each valid key that expires within 30 days, with the command that replaces it. */
export async function checkKeys({ access, ports }: OpenedInstallation): Promise<readonly Finding[]> {
  const now = ports.clock.now();
  const keys = await access.list();
  return keys
    .filter(({ state, expires_at }) => state === "active" && expiresSoon(expires_at, now))
    .map(({ id, name, last4, account, expires_at }) =>
      note(
        `key ...${last4}`,
        `"${plainText(name, 60)}" of the account ${account} expires at ${expires_at}: \`market-signal keys rotate ${id}\` replaces it`,
      ),
    );
}
