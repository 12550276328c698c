/**
 * Lets a stop signal (Ctrl-Z) take effect between two events. By default it stops a process at once, which keeps the
 * write lock of the database if it comes in the middle of a transaction.
 */
export function stopBetweenEvents(): void {
  if (process.platform !== "win32") process.on("SIGTSTP", () => process.kill(process.pid, "SIGSTOP"));
}
