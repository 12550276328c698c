/**
 * Leases of A2A tasks, each of which runs in one process of the installation at a time. The leases of a process that ends
 * without releasing them expire within a minute.
 */
export interface TaskLeases {
  /** Takes a task for this process; resolves to false while another process has it. */
  take(task: string, account: string): Promise<boolean>;
  /** Takes a new task until it is released. It is stored for other processes after a second, because few tasks take longer. */
  keep(task: string, account: string): void;
  release(task: string): Promise<void>;
  /** Returns the number of tasks of an account that run in other processes. */
  elsewhere(account: string): Promise<number>;
  isHere(task: string): boolean;
  isElsewhere(task: string): Promise<boolean>;
}
