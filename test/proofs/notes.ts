import { z } from "zod";
import { ToolError } from "../../src/kernel/errors.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";

const Id = z.uuid().describe("Id of the note");
const Words = z.string().min(1).max(200).describe("What it says");
const shown = { toolset: "system", needs: [] } as const;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

interface Note {
  readonly account: string;
  readonly text: string;
}

/** Tools of every effect on objects owned by an account; the catalogue has none like them. */
export function createNoteTools(): Readonly<Record<string, Tool>> {
  const notes = new Map<string, Note>();
  const own = (id: string, account: string): Note => {
    const note = notes.get(id);
    if (note?.account !== account)
      throw new ToolError("NOT_FOUND", "There is no such note", { hint: "Save one first." });
    return note;
  };
  const saveNote = defineTool({
    ...shown,
    name: "save_note",
    title: "Save a note",
    description: "Keeps a note.",
    plan: "individual",
    effect: "write",
    route: "POST /api/v1/notes",
    needs: ["ids"],
    input: z.object({ text: Words }),
    output: z.object({ note_id: z.uuid() }),
    examples: [{ ask: "Save it", input: { text: "hello" } }],
    handler({ text }, { ids, principal }) {
      const note_id = ids.uuid();
      notes.set(note_id, { account: principal.account, text });
      return { note_id };
    },
  });
  const readNote = defineTool({
    ...shown,
    name: "read_note",
    title: "Read a note",
    description: "Reads a note.",
    plan: "founding",
    effect: "read",
    route: "GET /api/v1/notes/:note_id",
    http: { aliases: ["/api/notes/:note_id"] },
    input: z.object({ note_id: Id }),
    output: z.object({ text: z.string() }),
    examples: [{ ask: "Read it", input: { note_id: UNKNOWN } }],
    handler: ({ note_id }, { principal }) => ({ text: own(note_id, principal.account).text }),
  });
  const dropNote = defineTool({
    ...shown,
    name: "drop_note",
    title: "Drop a note",
    description: "Drops a note.",
    plan: "pro",
    effect: "write",
    route: "DELETE /api/v1/notes/:note_id",
    input: z.object({ note_id: Id }),
    output: z.object({ dropped: z.boolean() }),
    examples: [{ ask: "Drop it", input: { note_id: UNKNOWN } }],
    handler({ note_id }, { principal }) {
      own(note_id, principal.account);
      return { dropped: notes.delete(note_id) };
    },
  });
  const tradeNote = defineTool({
    ...shown,
    name: "trade_note",
    title: "Trade a note",
    description: "Trades a note.",
    plan: "enterprise",
    effect: "trade",
    route: "PUT /api/v1/notes/:note_id",
    input: z.object({ note_id: Id, quantity: z.number().int().min(1).describe("How many") }),
    output: z.object({ traded: z.number() }),
    examples: [{ ask: "Trade it", input: { note_id: UNKNOWN, quantity: 1 } }],
    handler({ note_id, quantity }, { principal }) {
      own(note_id, principal.account);
      return { traded: quantity };
    },
  });
  return { saveNote, readNote, dropNote, tradeNote };
}
