/** The other processes of the same server, or of all servers on one database; none if there are none. */
export interface Peers {
  /**
   * Sends a request, as JSON, to every other process and resolves to the responses other than null. A process that has
   * ended, does not respond in time or has no handler for the topic adds none.
   */
  request(topic: string, payload: unknown): Promise<readonly unknown[]>;
  /** Handles the requests of other processes on a topic. A handler that returns null or fails adds no response. */
  onRequest(topic: string, handler: (payload: never) => unknown): void;
}

/** Maximum wait for the responses of all processes, in milliseconds. */
export const RESPONSE_TIMEOUT_MS = 2_000;

/** A server that runs in one process. */
export const noPeers: Peers = { request: async () => [], onRequest() {} };
