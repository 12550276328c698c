import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { newKey } from "../../src/access/keys/key-format.ts";
import { signInSecret } from "../../src/access/sign-in/session-cookie.ts";
import { keyedHashOf } from "../../src/access/vault/keyed-hash.ts";
import { SYSTEM_ACCOUNT } from "../../src/access/vault/signing-key.ts";
import { createVault, masterKey } from "../../src/access/vault/vault.ts";
import { openStore } from "../../src/store/open-store.ts";
import { sealedSecrets } from "../../src/store/vault/secrets.ts";
import { type Compiled, compile, serveOn } from "../support/compiled.ts";
import { launch } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { a2aCall } from "./a2a.ts";
import { sendCredentials } from "./broker-secrets.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer, mcpCall, type SiteRequest } from "./proof-server.ts";
import { sendSignIns } from "./sign-in-secrets.ts";

/** A text that must not be found, and its description. */
interface Canary {
  readonly what: string;
  readonly text: string;
  /** Number of outputs that show it on purpose. Default: 0. */
  readonly shown?: number;
}
/** A place to search. */
interface Place {
  readonly where: string;
  readonly bytes: Buffer;
}

const canary = (what: string): Canary => ({ what, text: `canary${newKey("live").slice(8)}` });
const TOKEN = canary("METRICS_TOKEN");
/** Secrets in the server's environment. */
const ENVIRONMENT = {
  METRICS_TOKEN: TOKEN,
  MASTER_KEY: { what: "MASTER_KEY", text: randomBytes(32).toString("base64") },
  REDIS_URL: canary("the password in REDIS_URL"),
  BACKUP_PASSPHRASE: canary("BACKUP_PASSPHRASE"),
  AWS_SECRET_ACCESS_KEY: canary("another program's secret in the environment"),
} as const;
/** A secret that `config set` seals in the vault. */
const SEALED = canary("a sealed setting");
const clock = { now: () => new Date() };

/** Sends secrets through every transport, command and failure, then searches everything the server wrote. */
export const secrets: Proof = {
  name: "secrets",
  claim:
    "A secret stays where it was given: no key, token, cookie, password, link or setting is in the database, the log or an answer",

  async run() {
    const { dir, remove } = suiteDir();
    const built = await compile();
    const env = {
      HOME: dir,
      DATA_DIR: join(dir, "data"),
      LOG_LEVEL: "debug",
      OAUTH: "on",
      ...Object.fromEntries(Object.entries(ENVIRONMENT).map(([name, { text }]) => [name, text])),
      REDIS_URL: `redis://:${ENVIRONMENT.REDIS_URL.text}@cache:6379`,
    };
    const canaries: Canary[] = [...Object.values(ENVIRONMENT), SEALED];
    const places: Place[] = [];
    const broken: string[] = [];
    const seen = (where: string, text: string | Uint8Array) =>
      void places.push({ where, bytes: Buffer.from(text) });
    const sealing = await run(built, ["config", "set", "FINNHUB_TOKEN"], env, `${SEALED.text}\n`);
    seen("config set of a secret", sealing.out + sealing.err);
    const server = await serveOn(built.product, env);
    try {
      if (sealing.code !== 0) broken.push(`config set of a secret ended with ${sealing.code}`);
      const command = async (...argv: readonly string[]) => {
        const { code, out, err } = await run(built, argv, env);
        if (code !== 0) broken.push(`${argv.join(" ")} ended with ${code}: ${err}`);
        seen(`stderr of ${argv.join(" ")}`, err);
        return out;
      };
      /** A command that may show the key it creates exactly once; the rest of its output is searched as usual. */
      const issued = async (what: string, ...argv: readonly string[]) => {
        const out = await command(...argv, "--json");
        const { key, id } = JSON.parse(out) as { key: string; id: string };
        canaries.push(...canariesOf(what, key));
        if (out.split(key).length !== 2)
          broken.push(`${argv.join(" ")} shows its key ${out.split(key).length - 1} times`);
        seen(`stdout of ${argv.join(" ")}`, out.replace(key, ""));
        return { key, id };
      };
      const ask = async (knock: SiteRequest, authorization: string | null = null) => {
        const { method, path } = knock;
        const answer = await fetchFromServer(server.url, { ...knock, authorization });
        const response = JSON.stringify([...answer.headers]) + (await answer.text());
        seen(`${method} ${path.slice(0, 40)} (${answer.status})`, response);
        return answer.status;
      };
      const get = (path: string): SiteRequest => ({ method: "GET", path });

      const first = readFileSync(join(env.DATA_DIR, "first-key.txt"), "utf8").trim();
      canaries.push(...canariesOf("the first key", first));
      const one = await issued("a made key", "keys", "create", "--plan", "enterprise");
      const two = await issued("the key that replaced it", "keys", "rotate", one.id);
      const gone = await issued("a revoked key", "keys", "create", "--plan", "pro");
      seen("keys revoke", await command("keys", "revoke", gone.id));
      const unknown = newKey("live");
      const misspelt = `${newKey("test").slice(0, -6)}AAAAAA`;
      const basic = Buffer.from(`user:${canary("a password").text}`).toString("base64");
      canaries.push(...canariesOf("an unknown key", unknown), { what: "a misspelt key", text: misspelt });
      canaries.push({ what: "a Basic header", text: basic });

      const authorizations = [
        null,
        ...[first, one.key, two.key, gone.key, unknown, misspelt].map((key) => `Bearer ${key}`),
      ];
      for (const authorization of [...authorizations, `Basic ${basic}`, `Bearer ${TOKEN.text}`]) {
        await ask(get("/api/v1/signals/AAPL"), authorization);
        await ask(mcpCall("get_quota", {}), authorization);
        await ask(a2aCall("get_quota", {}), authorization);
        await ask(get("/api/v1/quote/NOSUCHSYMBOL"), authorization);
        await ask({ method: "POST", path: "/api/v1/interpret", body: { query: 1 } }, authorization);
        await ask(get("/metrics"), authorization);
      }
      const sent = await sendCredentials({
        dir,
        ask: (knock) => ask(knock, `Bearer ${two.key}`),
        async run(...argv) {
          const { out, err } = await run(built, argv, env);
          seen(argv.slice(0, 2).join(" "), out + err);
        },
      });
      canaries.push(...sent);
      canaries.push(...(await sendSignIns({ url: server.url, see: seen, command })));
      const link = readFileSync(join(env.DATA_DIR, "open-link.txt"), "utf8").trim().split("/").at(-1)!;
      canaries.push({ what: "the link of the start", text: link });
      // A key in the wrong place: only the response to that request may repeat it.
      const misplaced = newKey("live");
      canaries.push(...canariesOf("a key put where none belongs", misplaced));
      for (const path of [
        `/api/v1/quote/${misplaced}`,
        `/api/v1/quota?api_key=${misplaced}`,
        `/${misplaced}`,
        `/api/mcp?key=${misplaced}`,
      ])
        await (
          await fetch(`${server.url}${path}`, {
            headers: { "x-request-id": "r", cookie: `key=${misplaced}` },
          })
        ).text();
      // A stream token is sent in the URL, where only its stream may read it.
      const { token } = (await (
        await fetch(`${server.url}/api/v1/stream-tokens`, {
          method: "POST",
          headers: { authorization: `Bearer ${two.key}` },
        })
      ).json()) as { token: string };
      canaries.push({ what: "the signature of a stream token", text: token.split(".")[1]! });
      const stream = await fetch(`${server.url}/api/v1/quotes/stream?symbols=AAPL&stream_token=${token}`);
      if (stream.status !== 200) broken.push(`the stream token is refused with ${stream.status}`);
      await stream.body?.cancel();
      for (const path of ["/api/v1/quota", "/api/v1/quotes/stream", "/api/mcp"])
        await ask(get(`${path}?stream_token=${token}`), `Bearer ${two.key}`);
      const resource = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "quota://me" } };
      await ask({ ...mcpCall("", {}), body: resource }, `Bearer ${two.key}`);
      await ask(
        { ...mcpCall("", {}), body: { ...resource, method: "tools/list", params: {} } },
        `Bearer ${two.key}`,
      );
      for (const path of [
        "/",
        "/docs",
        "/openapi.json",
        "/llms.txt",
        "/livez",
        "/readyz",
        "/api/v1/health",
        "/.well-known/agent-card.json",
        "/metrics",
      ])
        await ask(get(path));
      if ((await ask(get("/metrics"), `Bearer ${TOKEN.text}`)) !== 200)
        broken.push("the metrics do not open to their token");
      for (const argv of [
        ["config"],
        ["config", "--json"],
        ["config", "set", "DEMO_SYMBOL", "AAPL"],
        ["config", "list"],
        ["config", "get", "FINNHUB_TOKEN"],
        ["doctor"],
        ["keys", "list", "--json"],
        ["mcp", "config"],
      ])
        seen(argv.join(" "), await command(...argv));

      const store = await openStore({ dataDir: env.DATA_DIR, clock });
      store.backUp();
      const plain = join(env.DATA_DIR, "backups", "plain.db");
      const sealed = join(env.DATA_DIR, "backups", "sealed.db");
      seen("backup", await command("backup", "--json", "--out", plain));
      seen("backup --with-keys", await command("backup", "--json", "--with-keys", "--out", sealed));
      // refused, because the folder is in use; it shows what the backup holds all the same
      const planned = await run(built, ["restore", "--dry-run", sealed], env);
      if (planned.code !== 2) broken.push(`restore --dry-run ended with ${planned.code}: ${planned.err}`);
      seen("restore --dry-run", planned.out + planned.err);
      const copy = join(dir, "copy");
      const restored = await run(built, ["restore", sealed], { ...env, DATA_DIR: copy });
      if (restored.code !== 0) broken.push(`restore ended with ${restored.code}: ${restored.err}`);
      seen("restore --json", restored.out + restored.err);
      for (const file of filesIn(copy)) seen(`the restored file ${file}`, readFileSync(join(copy, file)));
      const vault = createVault(() => masterKey(ENVIRONMENT.MASTER_KEY.text)!);
      const secrets = sealedSecrets({ db: store.db, vault });
      canaries.push(
        { what: "the key of hashes", text: (await secrets.open(SYSTEM_ACCOUNT, "hash key"))! },
        { what: "the secret of cookies", text: await signInSecret(keyedHashOf(secrets, env.DATA_DIR)) },
      );
      for (const file of filesIn(env.DATA_DIR))
        seen(`the file ${file}`, readFileSync(join(env.DATA_DIR, file)));
      await store.close();
      server.child.kill("SIGTERM");
      await server.ended;
      seen("what the server said", server.seen.out + server.seen.err);
      for (const file of filesIn(env.DATA_DIR))
        seen(`the file ${file} after the end`, readFileSync(join(env.DATA_DIR, file)));

      const files = new Set(places.flatMap(({ where }) => /^the file (\S+)/.exec(where)?.[1] ?? []));
      for (const must of [
        "market-signal.db",
        "market-signal.db-wal",
        "market-signal.db-shm",
        "meters.db",
        "config.toml",
        "backups/plain.db",
        "backups/sealed.db",
      ])
        if (!files.has(must)) broken.push(`${must} was not there to be searched`);
      if (![...files].some((file) => file.startsWith("backups/")))
        broken.push("no backup was there to be searched");
      const listed = places.find(({ where }) => where === "config list")?.bytes.toString() ?? "";
      if (!/FINNHUB_TOKEN +set \(sealed\) +from the vault/.test(listed))
        broken.push("config list does not show that a setting is sealed");
      if (!/"event":"call"/.test(server.seen.err)) broken.push("the log holds no call");
      const logged = server.seen.err.trim().split("\n").length;
      for (const { what, text, shown = 0 } of canaries) {
        const shapes = shapesOf(text);
        const hits = places.filter(({ bytes }) => shapes.some((shape) => bytes.includes(shape)));
        if (hits.length > shown) broken.push(`${what} is in ${hits.map(({ where }) => where).join(", ")}`);
        if (hits.length < shown) broken.push(`${what} was shown ${hits.length} times instead of ${shown}`);
      }
      return {
        figure: `${canaries.length} secrets looked for in ${places.length} places (${files.size} files, ${logged} log lines, answers of every transport and command), plain, base64 and hex: ${broken.length} hits`,
        broken,
      };
    } finally {
      server.child.kill("SIGKILL");
      await server.ended;
      built.remove();
      remove();
    }
  },
};

/** The whole key, and its random part alone. */
const canariesOf = (what: string, key: string): readonly Canary[] => [
  { what, text: key },
  { what: `the random part of ${what}`, text: key.slice(8, -6) },
];

/** The encodings in which a text could have been written. */
const shapesOf = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [text, bytes.toString("base64").replace(/.?=*$/, ""), bytes.toString("hex")];
};

/** Files that hold the first key and a link on purpose. */
const ISSUING = ["first-key.txt", "open-link.txt"];

/** Every file of a data folder except those that hold a secret on purpose. */
const filesIn = (dataDir: string): readonly string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !ISSUING.includes(entry.name))
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)));

async function run(
  built: Compiled,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
) {
  const { child, seen, ended } = launch([...built.product, ...argv], env);
  child.stdin.end(input);
  return { code: await ended, ...seen };
}
