/** Colours a text for a terminal; returns it unchanged if the terminal has no colour. */
export interface Paint {
  (style: "green" | "red" | "yellow" | "cyan" | "bold" | "dim", text: string): string;
  /** Width of the terminal, to which tables are fitted. Default: no limit. */
  readonly columns?: number | undefined;
  /** Option that prints all columns of a table. */
  readonly allColumns?: string;
}

/** Returns the line that names the cursor of the next page and the input field that takes it; none on the last page. */
export const nextPageLine = (cursor: string | null, paint: Paint, field = "cursor"): readonly string[] =>
  cursor === null ? [] : [paint("dim", `For the next page, pass \`${field}\` ${cursor}`)];
