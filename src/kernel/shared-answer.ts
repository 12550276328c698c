import { createHash } from "node:crypto";

/** Fields of an answer that differ between calls with the same input; all other fields are shared. */
export interface CallFields {
  readonly request_id: string;
  readonly server_time: string;
}

/** The JSON text of an answer, split where the values of the call fields are inserted. */
interface AnswerText {
  readonly parts: readonly string[];
  readonly fields: readonly (keyof CallFields)[];
  /** Hash of the parts without the times of provider calls: equal for equal content. */
  readonly tag: string;
}

const SHARED_ANSWER = Symbol("shared answer");
/** Times of provider calls in JSON. They change with each call, also if the provider returns the same data. */
const FETCH_TIMES = /"fetched_at":"[^"]*"/g;

/** An answer that calls with the same input share, apart from the call fields. */
export class SharedAnswer {
  readonly answer: object;
  #text: AnswerText | null = null;

  constructor(answer: object) {
    this.answer = answer;
  }

  /** Returns a copy of the answer with the call fields of another call. */
  forCall({ request_id, server_time }: CallFields): object {
    const copy = {
      ...this.answer,
      ...("request_id" in this.answer && { request_id }),
      ...("server_time" in this.answer && { server_time }),
    };
    return Object.defineProperty(copy, SHARED_ANSWER, { value: this });
  }

  get text(): AnswerText {
    this.#text ??= textOf(this.answer);
    return this.#text;
  }
}

const sharedAnswerOf = (answer: object): SharedAnswer | undefined =>
  (answer as { [SHARED_ANSWER]?: SharedAnswer })[SHARED_ANSWER];

/** Returns true if calls with the same input share the answer: it depends on no account. */
export const isShared = (answer: object): boolean => sharedAnswerOf(answer) !== undefined;

/** Returns the JSON text of an answer. The text of a shared answer is built once, without the call fields. */
export function jsonOf(answer: object): string {
  const shared = sharedAnswerOf(answer);
  return shared === undefined ? JSON.stringify(answer) : joined(shared.text, answer);
}

/**
 * Returns the JSON text of an answer and a tag that is equal for answers that differ only in their call fields and in
 * the times of provider calls.
 */
export function taggedJsonOf(answer: object): { readonly text: string; readonly tag: string } {
  const text = sharedAnswerOf(answer)?.text ?? textOf(answer);
  return { text: joined(text, answer), tag: text.tag };
}

function joined({ parts, fields }: AnswerText, answer: object): string {
  let text = parts[0]!;
  for (const [i, field] of fields.entries())
    text += JSON.stringify((answer as CallFields)[field]) + parts[i + 1]!;
  return text;
}

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
  const content = parts.join("\n").replaceAll(FETCH_TIMES, "");
  const tag = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return { parts, fields, tag };
}
