/** Settings of clients by session, which every process has, also after a restart. */
export interface ClientSessions {
  /** Resolves to the settings of a session of an account; null if none are stored. */
  find(account: string, session: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Stores the settings of a session; an account keeps those of its 200 sessions that changed last. */
  save(account: string, session: string, settings: object): Promise<void>;
}
