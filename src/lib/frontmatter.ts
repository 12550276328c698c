/** A Markdown file with fields above its text. */
export interface FrontmatterFile {
  /** The fields, in the order of the file. */
  readonly fields: Readonly<Record<string, string>>;
  /** The text below the fields. */
  readonly body: string;
}

const FENCE = "---";
const FIELD = /^([a-z][a-z0-9-]*): (\S.*)$/;
/** Values that YAML reads as something other than the text as written. */
const NOT_PLAIN = /^[^A-Za-z]|: | #|:$|^(true|false|null|yes|no|on|off)$/i;

/**
 * Parses the fields between two `---` lines, one `name: text` a line, and the text below them. Accepts only values that
 * YAML reads as the same text. @throws Error that names the line
 */
export function parseFrontmatter(text: string): FrontmatterFile {
  const [first, ...lines] = text.split("\n");
  const end = lines.indexOf(FENCE);
  if (first !== FENCE || end === -1)
    throw new Error(`The file does not begin with fields between two ${FENCE}`);
  const fields: Record<string, string> = {};
  for (const line of lines.slice(0, end)) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined || value !== value.trimEnd() || NOT_PLAIN.test(value))
      throw new Error(`This line is not "name: text" with plain text: ${line}`);
    if (Object.hasOwn(fields, name)) throw new Error(`The field "${name}" occurs twice`);
    fields[name] = value;
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}
