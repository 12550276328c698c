/**
 * Which process runs an A2A task, over all processes of the installation. A process that ends without releasing its
 * tasks loses them within a minute.
 */
export interface TaskLeases {
  /** Takes a task for this process; false while another process has it. */
  take(task: string, account: string): Promise<boolean>;
  /** Keeps a task that this process runs until it is released. Others see it after a second: few tasks take longer. */
  keep(task: string, account: string): void;
  release(task: string): Promise<void>;
  /** Returns the number of tasks of an account that other processes run. */
  elsewhere(account: string): Promise<number>;
  isHere(task: string): boolean;
  isElsewhere(task: string): Promise<boolean>;
}
