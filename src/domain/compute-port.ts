/** Cancellation and progress of a running task. */
export interface TaskContext {
  readonly signal: AbortSignal;
  progress(step: { readonly done: number; readonly total: number; readonly message?: string }): void;
}

/** A computation on plain data without I/O, so that it can run on another thread. */
export interface ComputeTask<Input, Output extends object> {
  /** Unique among all tasks. */
  readonly name: string;
  /** `long` for a task that may take more than 50 ms: it yields to the event loop between its steps. */
  readonly duration: "short" | "long";
  /**
   * Returns the cache key: a text that is equal only for inputs with the same output. Omitted for tasks whose output is
   * not cached.
   */
  keyOf?(input: Input): string;
  run(input: Input, context: TaskContext): Output | Promise<Output>;
}

/** State of the threads that run tasks. */
export interface ComputeHealth {
  /** Seconds until threads are used again, because several failed in a row; null while they are used. */
  readonly paused_s: number | null;
  /** Number of tasks since the start that needed more memory than a thread has. */
  readonly refused_for_memory: number;
  /** Number of tasks that wait until others have ended. */
  readonly waiting: number;
}

/** Runs tasks on worker threads. Waiting tasks of different accounts are started in turn. */
export interface Compute {
  /**
   * Returns the output of a task. The input is copied; a `Float64Array` that occurs several times is copied once.
   * Rejects with the error of the task, with the abort reason of the signal, with RATE_LIMITED if too many tasks of
   * the account wait, and with REFUSED if the task needs more memory than a thread has.
   */
  run<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    context?: Partial<TaskContext>,
  ): Promise<Output>;
  /** Returns a `Compute` on the same threads whose tasks belong to an account. */
  of(account: string): Compute;
  /** Returns the state of the threads. */
  health(): ComputeHealth;
}
