/** End of the name of the field that marks a name which occurs twice in one object. */
export const REPEATED = " (given twice)";
/** Maximum number of repeated names that are marked. */
const MAX_MARKED = 10;

type Step = string | number;

/** An object or list that is being read. */
interface Open {
  /** Names so far; null for a list. */
  readonly names: Set<string> | null;
  /** Name or index of the current value. */
  at: Step;
  /** true: the next text is a name. */
  beforeName: boolean;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125] as const;

/**
 * Parses JSON. JSON.parse silently takes the last value of a name that occurs twice: such an object, and every object in
 * that value, gets a further field, `side (given twice)`, which a reader refuses. Linear time. Throws SyntaxError.
 * @see RFC 8259, section 4: with names that are not unique, "the behavior of software is unpredictable"
 */
export const parseJson = (text: string): unknown => parseMarked(text).value;

/** Parses JSON as `parseJson`; also returns whether an object in it was marked. */
export function parseMarked(text: string): { readonly value: unknown; readonly isMarked: boolean } {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return { value, isMarked: false };
  const repeated = repeatedNames(text);
  for (const path of repeated) mark(value, path);
  return { value, isMarked: repeated.length > 0 };
}

/** Returns the paths of at most ten names that occur twice in one object of valid JSON. */
function repeatedNames(text: string): readonly (readonly Step[])[] {
  const found: Step[][] = [];
  const open: Open[] = [];
  for (let i = 0; i < text.length && found.length < MAX_MARKED; i++) {
    const code = text.charCodeAt(i);
    const inside = open.at(-1);
    if (code === QUOTE) {
      const end = endOfText(text, i);
      if (inside?.beforeName === true) {
        const written = text.slice(i + 1, end);
        const name: string = written.includes("\\") ? JSON.parse(`"${written}"`) : written;
        inside.at = name;
        inside.beforeName = false;
        if (inside.names!.has(name)) found.push(open.map(({ at }) => at));
        inside.names!.add(name);
      }
      i = end;
    } else if (code === OBJECT) open.push({ names: new Set(), at: "", beforeName: true });
    else if (code === LIST) open.push({ names: null, at: 0, beforeName: false });
    else if (code === OBJECT_END || code === LIST_END) open.pop();
    else if (code === COMMA && inside !== undefined) {
      if (inside.names === null) inside.at = Number(inside.at) + 1;
      else inside.beforeName = true;
    }
  }
  return found;
}

/** Returns the position of the quotation mark that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Marks the object that has the repeated name, as far as the path exists, and the objects in its value. */
function mark(root: object, path: readonly Step[]): void {
  const field = `${path.at(-1)}${REPEATED}`;
  let object: object = root;
  for (const step of path.slice(0, -1)) {
    const next = valueAt(object, step);
    if (typeof next !== "object" || next === null) break;
    object = next;
  }
  if (!Array.isArray(object)) Object.assign(object, { [field]: true });
  const unread = [valueAt(object, path.at(-1)!)];
  while (unread.length > 0) {
    const value = unread.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const part of Object.values(value)) if (typeof part === "object") unread.push(part);
    if (!Array.isArray(value)) Object.assign(value, { [field]: true });
  }
}

const valueAt = (object: object, step: Step): unknown =>
  Object.hasOwn(object, step) ? (object as Record<Step, unknown>)[step] : undefined;

/** Text in single or double quotation marks, and words outside of them. */
const PART = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|\b(?:True|False|None)\b/g;
const PYTHON: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/** Returns the value of JSON, or of a list or object as Python prints it: `['AAPL', None]`. Undefined for other text. */
export function parseLiteral(text: string): unknown {
  return tried(text) ?? tried(text.replace(PART, asJson));
}

const asJson = (part: string, single: string | undefined): string =>
  single === undefined ? (PYTHON[part] ?? part) : JSON.stringify(single.replace(/\\(['"\\])/g, "$1"));

function tried(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
