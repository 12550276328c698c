import type { Principal } from "../accounts/access.ts";
import type { TaskResult } from "./task.ts";

export interface TaskRequest {
  readonly task: string;
  /** Empty for a task that takes none. */
  readonly symbols: readonly string[];
  /** Context besides the symbols: input fields of the answering tool. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly detail?: "concise" | "full";
}

/** One call of a tool by its name. */
export interface SkillRequest {
  readonly skill: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly detail?: "concise" | "full";
}

/** Result of a tool that a question calls. */
export interface SkillResponse extends Pick<TaskResult, "data" | "error"> {
  /** The tool's own text for its output, without colour; null with an error. */
  readonly text: string | null;
}

/** Caller of a task, and the call that it belongs to. */
export interface TaskCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly signal: AbortSignal;
  progress(step: { readonly done: number; readonly total?: number; readonly message?: string }): void;
}

/** Named tasks, each answered by the tool that declares it. */
export interface Tasks {
  /** Returns the names of the known tasks, in order. */
  names(): readonly string[];
  /**
   * Returns one answer for each symbol in the order given, or one in all if the tool takes them at once or takes none.
   * Rejects with INVALID_INPUT for an unknown task or field, and with the first failure if every call failed.
   */
  run(request: TaskRequest, caller: TaskCaller): Promise<readonly TaskResult[]>;
  /**
   * Calls one read-only tool as a part of this call; its error is returned in the response. Rejects only with an error
   * that ends the whole call.
   */
  callSkill(request: SkillRequest, caller: TaskCaller): Promise<SkillResponse>;
}
