import type { Access } from "../access/access.ts";
import { appOf } from "../domain/accounts/access.ts";
import type { People } from "../domain/accounts/people-port.ts";
import type { Ports } from "../domain/ports.ts";
import { type ConfirmationDeps, createConfirmations } from "../features/trading/confirmations.ts";
import type { Store } from "../store/open-store.ts";
import { confirmationRequests } from "../store/trading/confirmation-requests.ts";
import type { Config } from "./config.ts";

interface ConfirmationsOptions extends Pick<ConfirmationDeps, "notify"> {
  readonly config: Pick<Config, "PUBLIC_URL" | "PORT">;
  readonly db: Store["db"];
  readonly market: string;
  /** The ports, once they exist. */
  readonly ports: () => Ports;
}

/** Connects the requests that people decide on. Their pages are at PUBLIC_URL, else at localhost. */
export function openConfirmations({ config, db, market, ports, notify }: ConfirmationsOptions) {
  let port: string | number = config.PORT;
  const open = () =>
    createConfirmations({
      ports: ports(),
      requests: confirmationRequests({ db, market }),
      baseUrl: () => (config.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, ""),
      notify,
    });
  let opened: ReturnType<typeof open> | undefined;
  const confirmations = () => (opened ??= open());
  return {
    confirmations,
    /** Sets the port of the pages to that of the address at which this process listens. */
    listenAt(url: string) {
      port = new URL(url).port || port;
    },
  };
}

/** Returns a function that names the key or app with an id; null if it is unknown. The name of an app is what it says. */
export const requesterNames =
  ({ access, people }: { readonly access: Pick<Access, "list">; readonly people: Pick<People, "apps"> }) =>
  async (account: string, id: string): Promise<string | null> => {
    const client = appOf(id);
    if (client !== null) {
      const app = (await people.apps(account)).find(({ client_id }) => client_id === client);
      return app === undefined ? null : (app.name ?? client);
    }
    return (await access.list(account)).find((key) => key.id === id)?.name ?? null;
  };
