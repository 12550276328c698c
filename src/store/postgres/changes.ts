import type { Listener } from "./listener.ts";

const CHANNEL = "market_signal_changes";
/** Changes of this process within this time are announced together. */
const ANNOUNCE_MS = 2;

/** Changes of the database, by this process and by others. */
export interface Changes {
  /** Records a change by this process and announces it to the others. */
  note(): void;
  /** Returns a text that differs after every change; while the listener is lost, it differs each time. */
  version(): string;
  /** Announces what is not announced yet. */
  close(): Promise<void>;
}

/**
 * Listens to the changes of other processes. Changes are announced outside of transactions, because commits that notify
 * wait for each other.
 */
export async function listenToChanges(listener: Listener): Promise<Changes> {
  let own = 0;
  let others = 0;
  let unknown = 0;
  let announcing: NodeJS.Timeout | undefined;

  await listener.add({
    async prepare(send) {
      await send(`LISTEN ${CHANNEL}`);
      others++; // what changed before is not known
    },
    receive: ({ channel }) => {
      if (channel === CHANNEL) others++;
    },
  });
  const announce = () => listener.send(`NOTIFY ${CHANNEL}`).catch(() => {});

  return {
    note() {
      own++;
      announcing ??= setTimeout(() => {
        announcing = undefined;
        void announce();
      }, ANNOUNCE_MS);
    },
    version: () => (listener.pid() === null ? `unknown ${++unknown}` : `${own} ${others}`),
    async close() {
      if (announcing === undefined) return;
      clearTimeout(announcing);
      announcing = undefined;
      await announce();
    },
  };
}
