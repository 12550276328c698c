import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newMasterKeyText } from "../../src/access/vault/vault.ts";
import { MODEL_VERSION } from "../../src/analytics/score/consensus.ts";
import { sampleMarketId } from "../../src/providers/sample/market.ts";
import { jobQueue } from "../../src/store/jobs.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { openJobsStore, realClock } from "../proofs/jobs-store.ts";
import { type Compiled, compile } from "../support/compiled.ts";
import { runHead } from "../support/engine.ts";
import { reservedPort } from "../support/free-port.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { launch, type Program, runProgram } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";

/** What a service of compose.scale.yaml says of its process. */
interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>;
}

const ROOT = new URL("../..", import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, ROOT), "utf8");
const MASTER_KEY = newMasterKeyText();
/** What the guide has an operator write into `.env`. */
const SETTINGS: Readonly<Record<string, string>> = { POSTGRES_PASSWORD: "secret", MASTER_KEY };
/** The command of the image for a service without one. */
const IMAGE_COMMAND: readonly string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(textOf("Dockerfile"))![1]!);
/** Six processes start, so a busy machine needs longer than for other tests. */
const PATIENCE_MS = 180_000;
const hasCaddy = spawnSync("caddy", ["version"]).status === 0;

/** Fills in `${NAME:-default}` and `${NAME:?reason}`. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+):([-?])(.*?)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = SETTINGS[name] ?? (kind === "-" ? rest : undefined);
    if (value === undefined) throw new Error(`${name} is not set: ${rest}`);
    return value;
  });

const services = parse(filled(textOf("compose.scale.yaml")), { merge: true }).services as Readonly<
  Record<string, Service>
>;
const namesWith = (command: string) =>
  Object.keys(services).filter((name) =>
    (services[name]!.command ?? (name.startsWith("server") ? IMAGE_COMMAND : [])).includes(command),
  );

/**
 * Runs what the services run, as processes on this machine. Not tested: images, networks, users and health checks of
 * containers.
 */
describe.skipIf(POSTGRES_URL === null || !hasCaddy)(
  "the commands of compose.scale.yaml, run as processes",
  () => {
    const { dir, remove } = suiteDir();
    const running = new Map<string, Program>();
    let built: Compiled;
    let url: string;

    beforeAll(async () => {
      built = await compile();
      url = await createDatabase(POSTGRES_URL!);
    }, 60_000);
    afterAll(() => {
      for (const { child } of running.values()) child.kill("SIGKILL");
      built.remove();
      remove();
    });

    /** The settings of a service, with the addresses of this machine in place of names of containers. */
    function settingsOf(name: string): Readonly<Record<string, string>> {
      const { environment, volumes } = services[name]!;
      expect(environment.DATABASE_URL).toBe("postgres://market_signal:secret@postgres:5432/market_signal");
      const [volume] = volumes.flatMap((one) => /^(\S+):\/data$/.exec(one)?.[1] ?? []);
      const folder = join(dir, volume!);
      // as the image makes it
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return { ...environment, DATABASE_URL: url, DATA_DIR: folder, HOME: dir };
    }

    it("names a data folder for each process and ends the migration before any of them starts", () => {
      const [servers, workers] = [namesWith("serve"), namesWith("worker")];
      expect([servers, workers]).toEqual([
        ["server-1", "server-2"],
        ["worker-1", "worker-2"],
      ]);
      const all = [...servers, ...workers];
      expect(new Set(all.map((name) => settingsOf(name).DATA_DIR)).size).toBe(4);
      for (const name of all)
        expect(services[name]!.depends_on).toEqual({
          migrate: { condition: "service_completed_successfully" },
        });
    });

    it(
      "answers through Caddy while a server ends, and has jobs done by the workers",
      async () => {
        const migrated = await runProgram(
          [...built.product, ...services.migrate!.command!],
          settingsOf("migrate"),
        );
        expect(migrated).toMatchObject({ code: 0, err: "" });
        const begin = async (name: string, says: RegExp, more: Readonly<Record<string, string>> = {}) => {
          const command = services[name]!.command ?? IMAGE_COMMAND;
          const program = launch([...built.product, ...command], { ...settingsOf(name), ...more });
          running.set(name, program);
          await program.says(says);
        };
        const addresses = new Map<string, string>();
        await Promise.all([
          ...namesWith("serve").map(async (name) => {
            const port = await reservedPort();
            await begin(name, /docs\s+https:\/\/localhost\/docs/, { HOST: "127.0.0.1", PORT: `${port}` });
            addresses.set(`${name}:8787`, `127.0.0.1:${port}`);
          }),
          ...namesWith("worker").map((name) => begin(name, /worker: does jobs of the servers on /)),
        ]);

        const { environment, volumes } = services.caddy!;
        const [file] = volumes.flatMap((one) => /^(\S+):\/etc\/caddy\/Caddyfile:ro$/.exec(one)?.[1] ?? []);
        const port = await reservedPort();
        const proxy = launch(
          ["caddy", "run", "--adapter", "caddyfile", "--config", fileURLToPath(new URL(file!, ROOT))],
          {
            DOMAIN: `http://${environment.DOMAIN}:${port}`,
            UPSTREAMS: environment
              .UPSTREAMS!.split(" ")
              .map((name) => addresses.get(name)!)
              .join(" "),
            XDG_DATA_HOME: dir,
            XDG_CONFIG_HOME: dir,
          },
        );
        running.set("caddy", proxy);
        await proxy.says(/serving initial configuration/);
        const created = await runProgram([...built.product, "keys", "create"], settingsOf("server-1"));
        const headers = { authorization: `Bearer ${/ms_live_\w+/.exec(created.out)?.[0]}` };
        const quote = async () => {
          const response = await fetch(`http://${environment.DOMAIN}:${port}/api/v1/quote/AAPL`, { headers });
          return { status: response.status, symbol: ((await response.json()) as { symbol?: string }).symbol };
        };
        await expect.poll(quote).toEqual({ status: 200, symbol: "AAPL" });

        const end = async (name: string) => {
          const { child, ended } = running.get(name)!;
          child.kill("SIGTERM");
          expect({ name, code: await ended }).toEqual({ name, code: 0 });
        };
        const ending = end("server-1");
        for (let call = 0; call < 20; call++) expect(await quote()).toEqual({ status: 200, symbol: "AAPL" });
        await ending;
        expect(await quote()).toEqual({ status: 200, symbol: "AAPL" });
        await end("server-2");

        const { db, close } = await openJobsStore(url);
        const market = sampleMarketId(undefined);
        const queue = jobQueue({ db, market, clock: realClock });
        const as_of = `${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
        await runRepository({ db, market }).begin(
          runHead({ members: ["AAPL"], as_of, model_version: MODEL_VERSION }),
        );
        await queue.replace("nightly_shard", "r1", [{ symbols: ["AAPL"] }]);
        const state = async () => (await queue.list("nightly_shard", "r1"))[0]?.state;
        await expect.poll(state, { timeout: PATIENCE_MS }).toBe("done");
        await close();
        for (const name of namesWith("worker")) await end(name);
      },
      PATIENCE_MS,
    );
  },
);
