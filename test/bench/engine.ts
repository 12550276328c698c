import { spawnSync } from "node:child_process";
import { compile } from "../support/compiled.ts";
import { withStartOptions } from "./servers/child.ts";

const MEASURED = "test/bench/engine/measured.ts";

/** Times complete nightly runs of the compiled program, with the Node options of `npm start`. */
export async function run(): Promise<void> {
  const built = await compile({ scripts: [MEASURED] });
  try {
    const [node, ...words] = withStartOptions(built.script(MEASURED));
    const { status } = spawnSync(node!, words, { stdio: "inherit" });
    process.exitCode = status ?? 1;
  } finally {
    built.remove();
  }
}
