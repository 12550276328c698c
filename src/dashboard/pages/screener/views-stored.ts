/** A named screen. */
export interface SavedView {
  readonly name: string;
  /** Query of its address. */
  readonly query: string;
}

/** Reads stored views, without what is none; null if the value is no list. */
export const readViews = (value: unknown): readonly SavedView[] | null =>
  Array.isArray(value) ? value.filter(isView) : null;

const isView = (value: unknown): value is SavedView => {
  const { name, query } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof name === "string" && typeof query === "string";
};
