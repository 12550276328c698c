import { ToolError } from "../../kernel/errors.ts";
import type { CliHost } from "./host.ts";
import { wrapToScreen, writeFailure } from "./screen.ts";

/** What an owner's command shows: as JSON, or in lines for a person. */
export interface CommandOutput {
  readonly json: object;
  readonly lines: readonly string[];
}

/** Opens what a command works on, shows what its task tells or why it refused, and closes again; a number is the exit code of a task that has shown all itself. */
export async function runOwnerCommand<Desk extends { close(): Promise<void> }>(
  { out, err, finish, json }: Pick<CliHost, "out" | "err"> & { finish(code: number): void; json: boolean },
  open: () => Promise<Desk>,
  task: (desk: Desk) => Promise<CommandOutput | number>,
): Promise<void> {
  const desk = await open();
  try {
    const told = await task(desk);
    if (typeof told === "number") return finish(told);
    out.write(
      json ? `${JSON.stringify(told.json, null, 2)}\n` : wrapToScreen(out, `${told.lines.join("\n")}\n`),
    );
    finish(0);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    finish(writeFailure(thrown, { out, err, json }));
  } finally {
    await desk.close();
  }
}
