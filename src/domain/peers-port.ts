/** The other processes of the same server; none if it runs in one process. */
export interface Peers {
  /** Number of processes of the server, this one included. */
  readonly count: number;
  /**
   * Sends a request, as JSON, to every other process and resolves to the responses other than null. A process that has
   * ended, does not respond in time or has no handler for the topic adds none.
   */
  request(topic: string, payload: unknown): Promise<readonly unknown[]>;
  /** Handles the requests of other processes on a topic. A handler that returns null or fails adds no response. */
  onRequest(topic: string, handler: (payload: never) => unknown): void;
}

/** A server that runs in one process. */
export const noPeers: Peers = { count: 1, request: async () => [], onRequest() {} };
