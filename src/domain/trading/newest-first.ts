import type { TicketRecord } from "./trading-port.ts";

/** Sort key of an item that waits for a person. `at`: since when it waits, ISO 8601 UTC. */
interface WaitingItem {
  readonly at: string;
  readonly id: string;
}

/** Compares what waits for a person, newest first; of the same millisecond by id. */
export const newestFirst = (a: WaitingItem, b: WaitingItem): number =>
  a.at === b.at ? compareText(a.id, b.id) : compareText(b.at, a.at);

/** Compares tickets in the same way. A ticket waits since its confirmation was requested, else since its preview. */
export const newestTicketFirst = (a: TicketRecord, b: TicketRecord): number =>
  newestFirst({ at: waitsSince(a), id: a.id }, { at: waitsSince(b), id: b.id });

export const waitsSince = ({ requested, createdAt }: TicketRecord): string => requested?.at ?? createdAt;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
