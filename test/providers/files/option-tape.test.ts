import { execFileSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import { appendFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { optionTapeFile } from "../../../src/providers/files/option-tape.ts";
import { fixed } from "../../support/fixed-world.ts";
import { failureOf } from "../../support/price-provider-fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { signal } from "../requests.ts";

const HEAD = "executed_at,contract,price,size,id\n";
const row = (clock: string, symbol = "AAPL", id = "") =>
  `2026-01-15T${clock}Z,${symbol}260220C00250000,4.10,500,${id}\n`;
const at = (clock: string) => Date.parse(`2026-01-15T${clock}Z`);

/** A tape from a file that does not exist yet. */
function stand() {
  const path = join(tempDir(), "tape.csv");
  const tape = optionTapeFile(path, { now: () => Date.parse("2026-01-16T00:00:00Z") });
  const ask = (symbol = "AAPL", from = 0) => tape.call({ instrument: fixed(symbol), from }, { signal });
  return { path, tape, ask };
}

describe("an option tape in a file", () => {
  it("returns the trades of one symbol from a time on, with the times of its first and last row", async () => {
    const { path, ask } = stand();
    writeFileSync(path, HEAD + row("15:00:00") + row("15:02:00", "BRKB") + row("15:01:00"));
    expect(await ask()).toEqual({
      trades: [expect.objectContaining({ id: "row-1" }), expect.objectContaining({ id: "row-3" })],
      completeFrom: at("15:00:00"),
      completeUntil: at("15:02:00"),
      notes: [],
    });
    expect((await ask("AAPL", at("15:01:00"))).trades).toHaveLength(1);
    expect((await ask("BRK.B")).trades).toHaveLength(1);
    expect((await ask("SPY")).trades).toEqual([]);
    expect((await failureOf(ask("BTC-USD"))).kind).toBe("unsupported");
  });

  it("covers no time after its last row", async () => {
    const { path, ask } = stand();
    writeFileSync(path, HEAD);
    expect(await ask()).toMatchObject({
      trades: [],
      emptyReason: "The file of OPTION_TAPE has no trades yet",
    });
    appendFileSync(path, row("15:00:00"));
    expect(await ask("SPY", at("15:00:00"))).not.toHaveProperty("emptyReason");
    expect(await ask("AAPL", at("15:00:01"))).toMatchObject({
      trades: [],
      emptyReason:
        "The file of OPTION_TAPE has no trade since 2026-01-15T15:00:01.000Z: its last one is at 2026-01-15T15:00:00.000Z",
    });
  });

  it("reports the number of skipped rows: invalid trades and duplicate trade ids", async () => {
    const { path, ask } = stand();
    const twice = row("15:00:00", "AAPL", "t1");
    writeFileSync(path, `${HEAD}${twice}nonsense\n\n${twice}${twice}${row("15:00:00", "SPY", "t1")}`);
    const result = await ask();
    expect(result.trades).toMatchObject([{ id: "row-1" }]);
    expect(result.notes).toEqual([
      "3 rows of the file of OPTION_TAPE were skipped: not a trade, or a duplicate",
    ]);
  });

  it("reads appended rows, each once its line is complete", async () => {
    const { path, ask } = stand();
    const half = row("15:02:00");
    writeFileSync(path, HEAD + row("15:00:00") + half.slice(0, -3));
    expect(await ask()).toMatchObject({
      trades: { length: 1 },
      notes: ["The last line of the file of OPTION_TAPE has no line end and is not read yet"],
    });
    appendFileSync(path, `${half.slice(-3)}${row("15:03:00").replace("\n", "\r\n")}`);
    const result = await ask();
    expect(result).toMatchObject({ trades: { length: 3 }, notes: [] });
    expect(result.trades.at(-1)).toMatchObject({ id: "row-3" });
    expect(await ask()).toEqual(result);
  });

  it("reads appended rows without reading earlier ones again", async () => {
    const { path, ask } = stand();
    // more than the bytes by which a file is recognised
    writeFileSync(path, HEAD + row("15:00:00").repeat(200));
    expect((await ask()).trades).toHaveLength(200);
    // The first bytes of the file are not read again.
    writeFileSync(path, "x".repeat(500), { flag: "r+" });
    appendFileSync(path, row("15:01:00"));
    expect((await ask()).trades).toHaveLength(201);
  });

  it("is read from the start if it was replaced, whether shorter, of equal length or longer", async () => {
    const { path, ask } = stand();
    writeFileSync(path, HEAD + row("15:00:00") + row("15:01:00"));
    expect((await ask()).trades).toHaveLength(2);
    truncateSync(path, HEAD.length + row("15:00:00").length);
    expect((await ask()).trades).toHaveLength(1);
    writeFileSync(path, HEAD + row("15:05:00"));
    utimesSync(path, 1e9, 1e9);
    expect((await ask()).completeFrom).toBe(at("15:05:00"));
    writeFileSync(path, HEAD + row("15:06:00") + row("15:07:00") + row("15:08:00"));
    expect(await ask()).toMatchObject({ completeFrom: at("15:06:00"), trades: { length: 3 } });
  });

  it("reports that a long file is still being read, and continues from there", async () => {
    const { path, tape, ask } = stand();
    writeFileSync(path, HEAD + row("15:00:00").repeat(20_000));
    const impatient = new AbortController();
    const given = tape.call({ instrument: fixed("AAPL"), from: 0 }, { signal: impatient.signal });
    setImmediate(() => impatient.abort());
    await expect(given).rejects.toThrow();
    expect(tape.problem!()).toBe("the file of OPTION_TAPE is still being read: retry in a moment");
    expect((await ask()).trades).toHaveLength(20_000);
    expect(tape.problem!()).toBeNull();
  });

  it("does not block the event loop while it is read", async () => {
    const { path, ask } = stand();
    writeFileSync(path, HEAD + row("15:00:00").repeat(20_000)); // a megabyte, 17 pieces
    let turns = 0;
    let over = false;
    const turn = () => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    turn();
    await ask();
    over = true;
    expect(turns).toBeGreaterThan(16);
  });

  it.each([
    ["a header alone that lacks columns", "executed_at,price\n", "it lacks the columns contract, size"],
    ["nothing", "", "it has no header"],
    ["rows that are none", `${HEAD}nonsense\n`, "it has no row with a trade"],
    ["a line without an end", HEAD + "x".repeat(70_000), "it has a line of more than 65536 bytes"],
  ])("fails with %s", async (_, text, why) => {
    const { path, tape, ask } = stand();
    writeFileSync(path, text);
    expect(await failureOf(ask())).toMatchObject({ kind: "malformed", message: why });
    expect(tape.problem!()).toBe(`OPTION_TAPE cannot be read: ${why}`);
    writeFileSync(path, HEAD + row("15:00:00"));
    expect((await ask()).trades).toHaveLength(1);
    expect(tape.problem!()).toBeNull();
  });

  it("is down if the file is missing, and malformed for a folder, a device or a file that is too large", async () => {
    const { path, ask } = stand();
    expect((await failureOf(ask())).kind).toBe("down");
    const now = () => 0;
    const of = (file: string) =>
      failureOf(optionTapeFile(file, { now }).call({ instrument: fixed("AAPL"), from: 0 }, { signal }));
    const why = "it is a folder, a pipe or a device";
    expect(await of(tempDir())).toMatchObject({ kind: "malformed", message: why });
    expect(await of("/dev/zero")).toMatchObject({ kind: "malformed", message: why });
    writeFileSync(path, HEAD);
    truncateSync(path, 256 * 1024 * 1024 + 1);
    expect(await of(path)).toMatchObject({ kind: "malformed", message: "it has more than 256 MB" });
  });

  it("does not block other file and DNS reads if it is a pipe without a writer", async () => {
    const pipe = join(tempDir(), "pipe.csv");
    execFileSync("mkfifo", [pipe]);
    const tape = optionTapeFile(pipe, { now: () => 0 });
    for (let i = 0; i < 8; i++)
      expect((await failureOf(tape.call({ instrument: fixed("AAPL"), from: 0 }, { signal }))).kind).toBe(
        "malformed",
      );
    expect((await lookup("localhost")).address).toBeTruthy();
  });
});
