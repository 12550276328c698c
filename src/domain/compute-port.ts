/** Reports the steps of a task to its caller. */
export interface TaskContext {
  readonly signal: AbortSignal;
  progress(step: { readonly done: number; readonly total: number; readonly message?: string }): void;
}

/** A computation on plain data without input or output of its own, so that it may run on another thread. */
export interface ComputeTask<Input, Output extends object> {
  /** Unique among all tasks. */
  readonly name: string;
  /** `long` for a task that may take more than 50 ms: it yields to the event loop between its steps. */
  readonly duration: "short" | "long";
  /**
   * Returns a text that is equal only for inputs with the same output, so that the output is computed once. Absent for
   * outputs that are not kept.
   */
  keyOf?(input: Input): string;
  run(input: Input, context: TaskContext): Output | Promise<Output>;
}

/** Runs tasks on other threads, in fair order between accounts. */
export interface Compute {
  /**
   * Returns the output of a task. The input is copied; numbers in `Float64Array` only once for all of their users.
   * Rejects with the error of the task, with the abort reason of the signal, and with RATE_LIMITED if too many tasks
   * of the account wait.
   */
  run<Input, Output extends object>(
    task: ComputeTask<Input, Output>,
    input: Input,
    context?: Partial<TaskContext>,
  ): Promise<Output>;
  /** Returns the same threads for the tasks of one account. */
  of(account: string): Compute;
}
