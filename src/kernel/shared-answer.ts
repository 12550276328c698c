import { createHash } from "node:crypto";

/** Fields of an answer that differ between calls with the same input; all other fields are shared. */
export interface CallFields {
  readonly request_id: string;
  readonly server_time: string;
}

const SHARED_ANSWER = Symbol("shared answer");
const OWN_TEXT = Symbol("text");
/** Times of provider calls in JSON. They change with each call, also if the provider returns the same data. */
const FETCH_TIMES = /"fetched_at":"[^"]*"/g;

/** The JSON text of an answer, split where the values of the call fields are inserted. */
class AnswerText {
  readonly #parts: readonly string[];
  readonly #fields: readonly (keyof CallFields)[];
  #tag: string | null = null;

  constructor(answer: object) {
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
    this.#parts = parts;
    this.#fields = fields;
  }

  /** Returns the text with the call fields of an answer. */
  with(answer: object): string {
    return this.#parts.reduce(
      (text, part, i) => text + JSON.stringify((answer as CallFields)[this.#fields[i - 1]!]) + part,
    );
  }

  /** Hash of the text without the call fields and the times of provider calls: equal for equal content. */
  get tag(): string {
    this.#tag ??= createHash("sha256")
      .update(this.#parts.join("\n").replaceAll(FETCH_TIMES, ""))
      .digest("base64url")
      .slice(0, 22);
    return this.#tag;
  }
}

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
    this.#text ??= new AnswerText(this.answer);
    return this.#text;
  }
}

const sharedAnswerOf = (answer: object): SharedAnswer | undefined =>
  (answer as { [SHARED_ANSWER]?: SharedAnswer })[SHARED_ANSWER];

/** Returns true if calls with the same input share the answer: it depends on no account. */
export const isShared = (answer: object): boolean => sharedAnswerOf(answer) !== undefined;

/** Returns the text of an answer, which stays with it: it is measured and then sent. Copies of it have none. */
function textOf(answer: object): AnswerText {
  const known = sharedAnswerOf(answer)?.text ?? (answer as { [OWN_TEXT]?: AnswerText })[OWN_TEXT];
  if (known !== undefined) return known;
  const text = new AnswerText(answer);
  if (Object.isExtensible(answer)) Object.defineProperty(answer, OWN_TEXT, { value: text });
  return text;
}

/** Returns the JSON text of an answer. It is built once; that of a shared answer once for all calls. */
export const jsonOf = (answer: object): string => textOf(answer).with(answer);

/** Returns the number of characters of an answer as JSON; 0 for a response that was stored and is sent again. */
export const sizeOf = (answer: object | undefined): number =>
  answer === undefined ? 0 : jsonOf(answer).length;

/**
 * Returns the JSON text of an answer and a tag that is equal for answers that differ only in their call fields and in
 * the times of provider calls.
 */
export const taggedJsonOf = (answer: object): { readonly text: string; readonly tag: string } => ({
  text: jsonOf(answer),
  tag: textOf(answer).tag,
});
