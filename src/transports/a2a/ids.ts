import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { taskNotFound } from "./errors.ts";

const MAX_ID_LENGTH = 128;

/** Throws unless all ids are short strings; the SDK does not validate them for protocol 0.3. */
export function checkIds(ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id !== "string" && id !== undefined)
      throw new RequestMalformedError(`${name} must be a string, such as a UUID.`);
    if (id !== undefined && id.length > MAX_ID_LENGTH)
      throw new RequestMalformedError(
        `${name} has more than ${MAX_ID_LENGTH} characters. Use a shorter one, such as a UUID.`,
      );
  }
}

/** Throws TaskNotFound for an id that is longer than that of any task, and like `checkIds` unless it is a string. */
export function checkTaskId(id: unknown): void {
  if (typeof id === "string" && id.length > MAX_ID_LENGTH) throw taskNotFound();
  checkIds({ id });
}

/** Throws RequestMalformedError unless every count is a whole number of at least 0; the SDK accepts any number. */
export function checkCounts(counts: Readonly<Record<string, unknown>>): void {
  for (const [name, count] of Object.entries(counts))
    if (count !== undefined && count !== null && !(Number.isSafeInteger(count) && (count as number) >= 0))
      throw new RequestMalformedError(`${name} must be a whole number of at least 0.`);
}
