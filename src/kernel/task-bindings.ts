/** How the symbols of a task reach the tool that answers it: each in a call of its own, all in one, or none at all. */
export type SymbolsMode = "each" | "all" | "none";

/** A task that a tool answers: its name alone where the field `symbol` takes one symbol at a time. */
export type TaskDef<Field extends string = string> =
  | string
  | { readonly name: string; readonly symbols: "each" | "all"; readonly field: Field }
  | { readonly name: string; readonly symbols: "none" };

/** The same with nothing left unsaid. */
export interface TaskBinding {
  readonly name: string;
  readonly symbols: SymbolsMode;
  /** Field of the input that takes the symbol or the symbols; null where the task is about none. */
  readonly field: string | null;
}

/** The tasks that a tool answers, written out. */
export const taskBindings = ({
  tasks = [],
}: {
  readonly tasks?: readonly TaskDef[];
}): readonly TaskBinding[] =>
  tasks.map((task) => {
    if (typeof task === "string") return { name: task, symbols: "each", field: "symbol" };
    return { name: task.name, symbols: task.symbols, field: task.symbols === "none" ? null : task.field };
  });

/** Inputs that a task of these symbols is asked with, each beside what it is about; null stands for all of them or none. */
export function taskInputs(
  { symbols: way, field }: TaskBinding,
  symbols: readonly string[],
): readonly { readonly symbol: string | null; readonly input: Readonly<Record<string, unknown>> }[] {
  if (field === null) return [{ symbol: null, input: {} }];
  if (way === "all") return [{ symbol: null, input: { [field]: symbols } }];
  return symbols.map((symbol) => ({ symbol, input: { [field]: symbol } }));
}
