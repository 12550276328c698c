/** The other processes of the same server; none if it runs in one process. */
export interface Peers {
  /** Number of processes of the server, this one included. */
  readonly count: number;
  /**
   * Asks every other process a question, as JSON, and resolves to the replies other than null. A process that has ended,
   * does not reply in time or does not know the topic gives none.
   */
  ask(topic: string, question: unknown): Promise<readonly unknown[]>;
  /** Replies to the questions of other processes on a topic. A reply of null or a failure counts as none. */
  onQuestion(topic: string, reply: (question: never) => unknown): void;
}

/** A server that runs in one process. */
export const noPeers: Peers = { count: 1, ask: async () => [], onQuestion() {} };
