/** A notification of an A2A task that its receiver has not accepted yet. */
export interface WaitingPush {
  /** The same for every attempt, so that a receiver recognizes repetitions. */
  readonly id: string;
  readonly account: string;
  readonly task: string;
  /** Id of the config of its receiver. */
  readonly config: string;
  /** What happened: `state <state>`, `artifact <id>` or `question <message id>`. */
  readonly event: string;
}

/** The notifications that are being delivered. Those of a process that has ended are sent by another one. */
export interface PushOutbox {
  /** Records a notification that this process begins to deliver. */
  add(push: WaitingPush): Promise<void>;
  /** Removes a notification that was accepted or given up. */
  remove(id: string): Promise<void>;
  /** Takes up to 100 notifications that no process has delivered within two minutes, oldest first, each at most three times. */
  takeLeft(): Promise<readonly WaitingPush[]>;
}
