import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { stoppedClock } from "../support/context.ts";

type Fields = Readonly<Record<string, unknown>>;

const ports = { symbols: createDirectory({ members: [] }), clock: stoppedClock() };
const tools: readonly Tool[] = Object.values(catalogue);

const mapped = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const asText = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;
const asJson = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : value);
const asPython = (value: unknown) =>
  isList(value)
    ? `[${value.map((item) => (typeof item === "string" ? `'${item}'` : item)).join(", ")}]`
    : typeof value === "boolean"
      ? value
        ? "True"
        : "False"
      : value;
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Optional fields that a call omits, except keys, whose empty text is refused. */
const omitted = ({ input: { shape } }: Tool, given: Fields, value: unknown): Fields =>
  Object.fromEntries(
    Object.keys(shape)
      .filter(
        (name) => !(name in given) && name !== "idempotency_key" && shape[name]!.safeParse(undefined).success,
      )
      .map((name) => [name, value]),
  );
/** Extra fields, without those that the tool has itself. */
const extra = ({ input: { shape } }: Tool, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in shape)));

/** How clients write the arguments of a call. */
const CLIENTS: Readonly<Record<string, (tool: Tool, input: Fields) => Fields>> = {
  // https://github.com/n8n-io/n8n/issues/21500
  n8n: (tool, input) => ({
    ...omitted(tool, input, ""),
    ...mapped(input, asText),
    ...extra(tool, {
      sessionId: "1bd19f08a0474d6aafc5df28e09b9c47",
      action: "sendMessage",
      chatInput: "What do you think of Apple?",
      toolCallId: "call_00_FH363F1Zn57ATns8AMmhJ6bU",
      tool: tool.name,
    }),
  }),
  "n8n with a schedule": (tool, input) => ({
    ...input,
    ...extra(tool, {
      timestamp: "2026-07-01T14:00:00.000+00:00",
      "Readable date": "July 1st 2026, 2:00:00 pm",
      "Readable time": "2:00:00 pm",
      "Day of week": "Wednesday",
      Year: "2026",
      Month: "July",
      "Day of month": "01",
      Hour: "14",
      Minute: "00",
      Second: "00",
      Timezone: "UTC",
      toolCallId: "toolu_015kA1pdA84pTN4dfAkQ1XEg",
    }),
  }),
  LangChain: (tool, input) => ({
    ...omitted(tool, input, null),
    ...mapped(input, asPython),
    ...extra(tool, {
      tool_call_id: "call_1",
      thread_id: "t1",
      id: "call_1",
      type: "tool_call",
      name: tool.name,
    }),
  }),
  // https://github.com/cline/cline/issues/9919
  Cline: (tool, input) => ({ ...input, ...extra(tool, { task_progress: "- [x] read\n- [ ] quote" }) }),
  Cursor: (tool, input) => ({
    ...omitted(tool, input, ""),
    ...mapped(input, asJson),
    ...extra(tool, { explanation: "To answer the question", random_string: "dummy", _meta: {} }),
  }),
  Continue: (tool, input) => ({
    ...omitted(tool, input, "null"),
    ...Object.fromEntries(Object.entries(input).map(([name, value]) => [camelCase(name), asText(value)])),
    ...extra(tool, { reasoning: "The user asks for it", requestId: "1", conversationId: "2", turnId: "3" }),
  }),
};

/** Optional fields in which `null` may be a name, so that it is read as one. */
const NAMED =
  /^(?:symbols?|sym|ticker|benchmark|members|name|author|watchlist|agent|label|query|text|task|note|reason|venue|head|url|run_id|bot_token|csv)$/;

describe.each(Object.entries(CLIENTS))("the arguments of %s", (client, write) => {
  it.each(
    tools.flatMap((tool) => tool.examples.map(({ ask, input }) => ({ name: tool.name, ask, tool, input }))),
  )("are read by $name as its example is: $ask", ({ tool, input }) => {
    const sent = write(tool, input as Fields);
    const fields = Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => value !== "null" || !NAMED.test(name)),
    );
    const plain = readInput(tool, input, ports);
    const read = readInput(tool, fields, ports);
    expect(read.input).toEqual(plain.input);
    const added =
      Object.keys(fields).length - Object.keys({ ...omitted(tool, input as Fields, ""), ...input }).length;
    if (client !== "Continue") expect(read.dropped.length).toBeGreaterThanOrEqual(Math.min(1, added));
    expect(read.understood.filter((line) => !line.startsWith("Not applied: "))).toEqual(plain.understood);
  });
});
