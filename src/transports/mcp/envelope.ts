import { type Fields, isFields } from "../../lib/fields.ts";
import { callFields, isEmpty, toolArguments } from "./call-fields.ts";

/** Number of levels of params in which null means an omitted member; deeper values belong to the tools. */
const DEPTH = 4;
/** Members of params that are objects. An empty one is written as a list by PHP. */
const OBJECTS: ReadonlySet<string> = new Set(["arguments", "capabilities", "_meta"]);

/** Members of the params of a tool call that the protocol defines; any other is meant for the tool. */
const CALL_MEMBERS: ReadonlySet<string> = new Set([
  "name",
  "arguments",
  "_meta",
  "task",
  "inputResponses",
  "requestState",
]);

/**
 * Returns a message, or each message of a batch, as the protocol writes it. In the params, null, an empty cursor, and
 * empty text or an empty list for the arguments of a tool are omitted members; these arguments may be JSON text. Other
 * members that the protocol does not define are added to the arguments, so that none is lost. What the arguments contain
 * and the id stay as they are. Returns anything else unchanged.
 */
export const readMessages = (body: unknown): unknown =>
  Array.isArray(body) ? body.map(readMessage) : readMessage(body);

function readMessage(message: unknown): unknown {
  if (!isFields(message)) return message;
  const { method } = message;
  if (typeof method !== "string") return readAnswer(message);
  const { params, id: written, ...rest } = message;
  const read = isEmpty(params) ? undefined : isFields(params) ? readParams(method, params) : params;
  const id = readId(method, written);
  if (read === params && id === written) return message;
  return { ...rest, ...(id !== undefined && { id }), ...(read !== undefined && { params: read }) };
}

/** Returns an id as written; null, which is refused, for a number that JSON.parse has rounded. */
function readId(method: string, id: unknown): unknown {
  if (Number.isInteger(id) && !Number.isSafeInteger(id)) return null;
  // a notification has no id, which some libraries write as null
  return id === null && method.startsWith("notifications/") ? undefined : id;
}

/** Returns a response without a null `error` next to its result, or a null `result` next to its error. */
function readAnswer(answer: Fields): Fields {
  const { result, error, ...rest } = answer;
  if (error === null && isFields(result)) return { ...rest, result };
  return result === null && isFields(error) ? { ...rest, error } : answer;
}

function readParams(method: string, params: Fields): Fields {
  const { arguments: given, ...rest } = params;
  const read = withoutNulls(rest, DEPTH);
  const { cursor, ...others } = read;
  const envelope = cursor === "" ? others : read;
  if (method === "tools/call") {
    const call = callFields(envelope, toolArguments(given), CALL_MEMBERS);
    return call.fields === rest && call.arguments === given ? params : joined(call.fields, call.arguments);
  }
  const args = promptArguments(given);
  return envelope === rest && args === given ? params : joined(envelope, args);
}

const joined = (fields: Fields, args: unknown): Fields => ({
  ...fields,
  ...(args !== undefined && { arguments: args }),
});

const promptArguments = (given: unknown): unknown =>
  isFields(given) ? withoutNulls(given, 1) : (given ?? undefined);

/** Returns the object without null members down to `depth` levels; the same object if it has none. */
function withoutNulls(fields: Fields, depth: number): Fields {
  if (depth === 0) return fields;
  const entries = Object.entries(fields);
  const read = entries.flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return [];
    if (OBJECTS.has(name) && isEmpty(value)) return [[name, {}]];
    return [[name, isFields(value) ? withoutNulls(value, depth - 1) : value]];
  });
  const isSame = read.length === entries.length && read.every(([, value], i) => value === entries[i]![1]);
  return isSame ? fields : Object.fromEntries(read);
}
