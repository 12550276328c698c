import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { createIssuer } from "../../src/access/sign-in/issuer.ts";
import { openSignInSite, RESOURCE } from "../proofs/sign-in/site.ts";
import { compile } from "../support/compiled.ts";
import { startIssuer } from "../support/issuer.ts";

const CHECKS = 5_000;
const WARM = 1_000;
const ROUNDS = 11;
const TARGETS = { key: 30, token: 30, session: 1_500, startMs: 100 };
const OPENING = "test/bench/access/opening.ts";

/** Prints the medians of the checks of a caller, and what sign-in adds to the start of a server. */
export async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
  const site = await openSignInSite();
  try {
    const { app } = site;
    const { cookie } = await site.invited("ada");
    const { access: token } = await site.connected(cookie);
    const { key } = await site.key("pro");
    const value = decodeURIComponent(cookie.split("=")[1]!);
    const { identifyApp } = app.openSignIn(new URL(RESOURCE).origin);
    await report("key", TARGETS.key, () => app.authenticate(key, "127.0.0.1"));
    await report("access token", TARGETS.token, () => identifyApp(token, "127.0.0.1"));
    await report("session", TARGETS.session, () => app.browserSessions.resolve(value));
  } finally {
    await site.stop();
  }
  const issuer = await startIssuer();
  const { verify } = createIssuer({ url: issuer.url, clock: { now: () => new Date() } });
  const signed = await issuer.token({ aud: RESOURCE, sub: "ada" });
  await report("signature of an external token", null, () => verify(signed, { audience: RESOURCE }));
  issuer.close();

  const built = await compile({ scripts: [OPENING] });
  try {
    const [node, script] = built.script(OPENING);
    const open = (): { readonly start: number; readonly firstUse: number } => {
      const { status, stdout, stderr } = spawnSync(node!, [script!], { encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    open();
    const rounds = Array.from({ length: ROUNDS }, open);
    const start = median(rounds.map(({ start }) => start));
    line("start of a server", `${start.toFixed(1)} ms of processor time more`, start, TARGETS.startMs, "ms");
    const first = median(rounds.map(({ firstUse }) => firstUse));
    line("first sign-in", `${first.toFixed(0)} ms of processor time more`, first, null, "ms");
  } finally {
    built.remove();
  }
}

/** Prints the median of a check in microseconds, once it is warm. */
async function report(name: string, target: number | null, check: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < WARM; i++) await check();
  const times: number[] = [];
  for (let i = 0; i < CHECKS; i++) {
    const before = process.hrtime.bigint();
    await check();
    times.push(Number(process.hrtime.bigint() - before) / 1_000);
  }
  const value = median(times);
  line(name, `${value.toFixed(1)} us`, value, target, "us");
}

function line(name: string, text: string, value: number, target: number | null, unit: string): void {
  console.log(`${name.padEnd(32)}${text}${target === null ? "" : `, target <= ${target} ${unit}`}`);
  if (target !== null && value > target) process.exitCode = 1;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
