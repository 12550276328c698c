import type { Principal } from "../accounts/access.ts";
import type { TaskResult } from "./task.ts";

/** A named task, about some symbols or none. */
export interface TaskRequest {
  readonly task: string;
  /** Empty for a task that takes none. */
  readonly symbols: readonly string[];
  /** What it is about besides its symbols: fields of the tool that answers. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly detail?: "concise" | "full";
}

/** One call of a tool by its name. */
export interface SkillRequest {
  readonly skill: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly detail?: "concise" | "full";
}

/** Who asks, and the call it belongs to. */
export interface TaskCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly signal: AbortSignal;
  progress(step: { readonly done: number; readonly total?: number; readonly message?: string }): void;
}

/** Named tasks, each answered by the tool that declares it. */
export interface Tasks {
  /** Known tasks, in order. */
  names(): readonly string[];
  /**
   * One answer for each symbol in the order given, or one for all where the tool takes them at once or takes none. Rejects with
   * INVALID_INPUT for an unknown task and a field that it does not take, and with the failure itself where every call failed.
   */
  run(request: TaskRequest, caller: TaskCaller): Promise<readonly TaskResult[]>;
  /**
   * Asks one tool that only reads, as a part of this call; its refusal stands in the answer. Rejects only with what ends the
   * whole call.
   */
  ask(request: SkillRequest, caller: TaskCaller): Promise<Pick<TaskResult, "data" | "error">>;
}
