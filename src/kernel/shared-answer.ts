import { createHash } from "node:crypto";

/** Fields of an answer that differ between calls; all others are shared by calls with the same input. */
export interface CallFields {
  readonly request_id: string;
  readonly server_time: string;
}

/** The JSON text of an answer, cut where the fields of the call are inserted. */
interface AnswerText {
  readonly parts: readonly string[];
  readonly fields: readonly (keyof CallFields)[];
  /** Hash of the parts. */
  readonly tag: string;
}

const SOURCE = Symbol("shared answer");

/** An answer that is the same for all calls with the same input, apart from the fields of the call. */
export class SharedAnswer {
  readonly answer: object;
  #text: AnswerText | null = null;

  constructor(answer: object) {
    this.answer = answer;
  }

  /** Returns the answer with the fields of one call in place of those of the call that computed it. */
  forCall({ request_id, server_time }: CallFields): object {
    const copy = {
      ...this.answer,
      ...("request_id" in this.answer && { request_id }),
      ...("server_time" in this.answer && { server_time }),
    };
    return Object.defineProperty(copy, SOURCE, { value: this });
  }

  get text(): AnswerText {
    this.#text ??= textOf(this.answer);
    return this.#text;
  }
}

const sourceOf = (answer: object): SharedAnswer | undefined =>
  (answer as { [SOURCE]?: SharedAnswer })[SOURCE];

/** Returns the JSON text of an answer; that of a shared answer is built once. */
export function jsonOf(answer: object): string {
  const source = sourceOf(answer);
  if (source === undefined) return JSON.stringify(answer);
  const { parts, fields } = source.text;
  let text = parts[0]!;
  for (const [i, field] of fields.entries())
    text += JSON.stringify((answer as CallFields)[field]) + parts[i + 1]!;
  return text;
}

/** Returns a tag that is equal for answers with equal content apart from the fields of the call; null if not shared. */
export const tagOf = (answer: object): string | null => sourceOf(answer)?.text.tag ?? null;

function textOf(answer: object): AnswerText {
  const parts = [""];
  const fields: (keyof CallFields)[] = [];
  let separator = "{";
  for (const [name, value] of Object.entries(answer)) {
    const json = JSON.stringify(value);
    if (json === undefined) continue;
    parts[parts.length - 1] += `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (name === "request_id" || name === "server_time") {
      fields.push(name);
      parts.push("");
    } else parts[parts.length - 1] += json;
  }
  parts[parts.length - 1] += separator === "{" ? "{}" : "}";
  const tag = createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);
  return { parts, fields, tag };
}
