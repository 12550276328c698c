/**
 * Makes SIGTSTP (Ctrl-Z) stop this process from the event loop, where no database transaction is open. By default it
 * stops at any instruction, and the stopped process may then hold a lock that other processes need.
 */
export function stopOnEventLoop(): void {
  process.on("SIGTSTP", () => process.kill(process.pid, "SIGSTOP"));
}
