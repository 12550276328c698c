import type { Access } from "../access/access.ts";
import { appOf } from "../domain/accounts/access.ts";
import type { People } from "../domain/accounts/people-port.ts";
import type { Ports } from "../domain/ports.ts";
import { type ConfirmationDeps, createConfirmations } from "../features/trading/confirmations.ts";
import type { Store } from "../store/store.ts";
import { confirmationRequests } from "../store/trading/confirmation-requests.ts";
import type { Config } from "./config.ts";
import { publicUrlOf } from "./public-url.ts";

interface ConfirmationsOptions extends Pick<ConfirmationDeps, "notify"> {
  readonly config: Config;
  readonly db: Store["db"];
  readonly market: string;
  /** The ports, once they exist. */
  readonly ports: () => Ports;
}

/** Connects the requests that people decide on. Their pages are at the address at which people sign in. */
export function openConfirmations({ config, db, market, ports, notify }: ConfirmationsOptions) {
  let publicUrl = publicUrlOf(config);
  const open = () =>
    createConfirmations({
      ports: ports(),
      requests: confirmationRequests({ db, market }),
      baseUrl: () => publicUrl,
      notify,
    });
  let opened: ReturnType<typeof open> | undefined;
  const confirmations = () => (opened ??= open());
  return {
    confirmations,
    /** Sets the address of the pages. */
    listenAt(url: string) {
      publicUrl = url;
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
