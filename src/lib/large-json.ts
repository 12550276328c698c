import { isBusy, yieldToEventLoop } from "./event-loop.ts";
import { endOfString, JsonLimitError, type JsonLimits, limitError, MAX_JSON_DEPTH } from "./json-size.ts";

/** Size of the parts in which a body is parsed, bytes. */
const PART_BYTES = 64 * 1024;
/** Maximum size of a text or number, which cannot be parsed in parts, bytes. */
const MAX_SCALAR_BYTES = 8 * 1024 * 1024;
/** Maximum number of names of one object: one name more can copy all of them in one turn. */
const MAX_NAMES = 100_000;
const [QUOTE, COMMA, LIST, OBJECT, LIST_END, OBJECT_END] = [0x22, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d];

type Container = unknown[] | Record<string, unknown>;

/** A list or object that is being read. */
interface OpenContainer {
  readonly isList: boolean;
  /** Position of its opening bracket. */
  readonly start: number;
  /** Members parsed so far; null while all of it is unread. */
  value: Container | null;
  /** Number of names parsed so far; 0 for a list. */
  names: number;
  /** Position from which its members are unread. */
  from: number;
  /** Position after its last comma, or after its opening bracket. */
  member: number;
  /** true: the last member is complete, only a comma or the end may follow. */
  isAfterMember: boolean;
}

interface LargeJsonOptions extends JsonLimits {
  /** Size from which a list or object is parsed in parts, bytes. Default: 64 KB. */
  readonly part?: number;
}

/**
 * Parses JSON in parts and lets other events be handled between them, so that a body of any size within the limits
 * takes no long turn. Resolves to the value that `JSON.parse` returns. Rejects with JsonLimitError for a text beyond
 * its limits, and with SyntaxError for text that is not JSON.
 */
export async function parseLargeJson(
  bytes: Uint8Array,
  { part = PART_BYTES, ...limits }: LargeJsonOptions,
): Promise<unknown> {
  const { values: maxValues, depth = MAX_JSON_DEPTH } = limits;
  const reader = createReader(bytes, part);
  let values = 1;
  let pause = part;
  for (let at = reader.start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      if (++values > maxValues) throw limitError("values", limits);
      if (byte === COMMA) reader.separate(at);
      else if (reader.open(at, byte === LIST) > depth) throw limitError("depth", limits);
    } else if (byte === LIST_END || byte === OBJECT_END) reader.close(at, byte === LIST_END);
    if (at < pause) continue;
    pause = at + part;
    if (isBusy()) await yieldToEventLoop();
  }
  return reader.end();
}

/**
 * Creates a reader of the brackets and commas of a text, in their order. Throws SyntaxError for text that is not JSON.
 */
function createReader(bytes: Uint8Array, part: number) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const opened: OpenContainer[] = [];
  const textOf = (from: number, end: number): string => {
    if (end - from > MAX_SCALAR_BYTES + part)
      throw new JsonLimitError(`a text longer than ${MAX_SCALAR_BYTES} bytes`);
    return buffer.toString("utf8", from, end);
  };
  const isBlank = (from: number, end: number): boolean => isBlankText(textOf(from, end));
  const start = buffer.toString("latin1", 0, 3) === "\xef\xbb\xbf" ? 3 : 0;
  let root: { readonly value: Container; readonly end: number } | null = null;

  /** Parses the unread members before `end` into the value. */
  function parseMembers(inside: OpenContainer, end: number): void {
    const text = textOf(inside.from, end);
    // nothing may stand between a member and its comma, and no member may be missing
    if (inside.isAfterMember !== isBlankText(text)) throw unexpected(inside.from);
    inside.value ??= inside.isList ? [] : {};
    if (!inside.isAfterMember) {
      const members = JSON.parse(inside.isList ? `[${text}]` : `{${text}}`) as Container;
      if (!inside.isList) countNames(inside, Object.keys(members).length);
      append(inside.value, members);
    }
    inside.from = end + 1;
  }

  /** Adds a parsed list or object, of which the closing bracket is at `end`, to the one around it. */
  function addMember(
    inside: OpenContainer,
    { start: childStart }: OpenContainer,
    value: Container,
    end: number,
  ): void {
    if (inside.isAfterMember) throw unexpected(childStart);
    if (inside.member > inside.from) parseMembers(inside, inside.member - 1);
    inside.value ??= inside.isList ? [] : {};
    const name = textOf(inside.member, childStart);
    if (Array.isArray(inside.value)) {
      if (!isBlankText(name)) throw unexpected(inside.member);
      inside.value.push(value);
    } else {
      const named = JSON.parse(`{${name}0}`) as Record<string, unknown>;
      countNames(inside, 1);
      for (const key of Object.keys(named)) set(inside.value, key, value);
    }
    inside.from = end + 1;
    inside.isAfterMember = true;
  }

  return {
    start,
    /** Returns the depth. */
    open(at: number, isList: boolean): number {
      const from = at + 1;
      return opened.push({
        isList,
        start: at,
        value: null,
        names: 0,
        from,
        member: from,
        isAfterMember: false,
      });
    },
    separate(at: number): void {
      const inside = opened.at(-1);
      if (inside === undefined) throw unexpected(at);
      if (inside.isAfterMember || at - inside.from >= part) parseMembers(inside, at);
      inside.member = at + 1;
      inside.isAfterMember = false;
    },
    close(at: number, isList: boolean): void {
      const closed = opened.pop();
      if (closed === undefined || closed.isList !== isList) throw unexpected(at);
      if (closed.value === null && at - closed.start < part) return;
      if (closed.value === null && isBlank(closed.from, at)) closed.value = isList ? [] : {};
      else parseMembers(closed, at);
      const value = closed.value as Container;
      const inside = opened.at(-1);
      if (inside !== undefined) addMember(inside, closed, value, at);
      else if (root !== null || !isBlank(start, closed.start)) throw unexpected(closed.start);
      else root = { value, end: at + 1 };
    },
    end(): unknown {
      if (opened.length > 0) throw unexpected(bytes.length);
      if (root === null) return JSON.parse(textOf(start, bytes.length)) as unknown;
      if (!isBlank(root.end, bytes.length)) throw unexpected(root.end);
      return root.value;
    },
  };
}

function countNames(inside: OpenContainer, added: number): void {
  inside.names += added;
  if (inside.names > MAX_NAMES) throw new JsonLimitError(`more than ${MAX_NAMES} names in an object`);
}

function append(value: Container, part: Container): void {
  if (Array.isArray(value)) for (const member of part as unknown[]) value.push(member);
  else for (const [name, member] of Object.entries(part)) set(value, name, member);
}

/** Sets a member like JSON.parse, also one that is named `__proto__`. */
function set(value: Record<string, unknown>, name: string, member: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(value, name, {
      value: member,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  else value[name] = member;
}

const isBlankText = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

const unexpected = (at: number): SyntaxError => new SyntaxError(`Unexpected text at byte ${at}`);
