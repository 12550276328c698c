import type { MessagePort } from "node:worker_threads";
import { asToolError, ToolError } from "../kernel/errors.ts";
import { TASKS } from "./tasks.ts";

/** A task to run on a thread. */
export interface Job {
  readonly task: string;
  readonly input: unknown;
  /** Carries progress out and cancellation in; null for a short task. */
  readonly port: MessagePort | null;
}

/** The output of a task, its `ToolError` as plain data, or any other error. */
export type JobResult =
  | { readonly output: unknown }
  | { readonly toolError: Pick<ToolError, "code" | "message" | "hint" | "command" | "data"> }
  | { readonly unexpected: unknown };

/** Runs one task on this thread; never rejects. */
export default async function runJob({ task, input, port }: Job): Promise<JobResult> {
  const cancellation = new AbortController();
  port?.on("message", () => cancellation.abort());
  try {
    const progress = (step: object) => port?.postMessage(step);
    const output = await TASKS.get(task)!.run(input, { signal: cancellation.signal, progress });
    return { output };
  } catch (cause) {
    if (!(cause instanceof ToolError)) return { unexpected: cause };
    const { code, message, hint, command, data } = asToolError(cause);
    return { toolError: { code, message, hint, command, data } };
  } finally {
    port?.close();
  }
}
