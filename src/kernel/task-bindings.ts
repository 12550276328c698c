/** Mode in which a tool receives the symbols of a task: one call for each, all in one call, or none. */
export type SymbolsMode = "each" | "all" | "none";

/** A task that a tool serves. A plain name means that the field `symbol` takes one symbol per call. */
export type TaskDef<Field extends string = string> =
  | string
  | { readonly name: string; readonly symbols: "each" | "all"; readonly field: Field }
  | { readonly name: string; readonly symbols: "none" };

/** A task definition with its defaults filled in. */
export interface TaskBinding {
  readonly name: string;
  readonly symbols: SymbolsMode;
  /** The input field that takes the symbol or the symbols; null if the task takes none. */
  readonly field: string | null;
}

/** Returns the tasks that a tool serves, with defaults filled in. */
export const taskBindings = ({
  tasks = [],
}: {
  readonly tasks?: readonly TaskDef[];
}): readonly TaskBinding[] =>
  tasks.map((task) => {
    if (typeof task === "string") return { name: task, symbols: "each", field: "symbol" };
    return { name: task.name, symbols: task.symbols, field: task.symbols === "none" ? null : task.field };
  });

/**
 * Returns the inputs of the calls that a task makes for the symbols, each with its symbol; the symbol is null if one
 * call takes all symbols or none.
 */
export function taskInputs(
  { symbols: mode, field }: TaskBinding,
  symbols: readonly string[],
): readonly { readonly symbol: string | null; readonly input: Readonly<Record<string, unknown>> }[] {
  if (field === null) return [{ symbol: null, input: {} }];
  if (mode === "all") return [{ symbol: null, input: { [field]: symbols } }];
  return symbols.map((symbol) => ({ symbol, input: { [field]: symbol } }));
}
