import { gunzipSync, gzipSync } from "node:zlib";
import { signerOf } from "../../src/access/vault/signing-key.ts";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/installation.ts";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import { signedText } from "../../src/features/receipts/issue.ts";
import { asToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { verifyReceipt } from "../../tools/verify-receipt.ts";
import { collectingLog } from "../support/context.ts";
import { memorySecrets } from "../support/memory-secrets.ts";
import { resign } from "../support/receipts.ts";
import { movingClock } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { drawsOf } from "../support/trading-world/draw.ts";
import type { Proof } from "./proof.ts";

const RECEIPTS = { quick: 40, full: 1_000 } as const;
const DAY = 86_400_000;
/** Maximum age of a receipt's time, in days. Several receipts share one time, because a day's ranks are read once. */
const REACH = 700;
const OF_ONE_MOMENT = 8;
const STEP = 17;

type Json = Readonly<Record<string, unknown>>;
type Answer = OutputOf<typeof verifyReceipt>;

/** What a forger has: the receipt, another receipt, the database. */
interface Forging {
  readonly app: App;
  readonly receipt: Receipt;
  readonly other: Receipt;
  readonly at: number;
  verify(input: InputOf<typeof verifyReceipt>): Promise<Answer>;
}

/** Verifies receipts of the simulated market, forges each in every way, and verifies them again in another process. */
export const receipts: Proof = {
  name: "receipts",
  claim: "A receipt of a signal verifies by computing it again, and a forged one does not",

  async run({ scale, seed, seeds, report }) {
    const { dir, remove } = suiteDir();
    const settings = { DATA_DIR: dir, MARKET_DATA: "sample", LOG_LEVEL: "silent" };
    const open = () => createApp(readConfig(settings), { log: collectingLog().log, clock: movingClock() });
    const { whole, one } = drawsOf(seed);
    const count = { forged: 0, again: 0, tooShort: 0 };
    const ways: Record<string, number> = {};
    const broken: string[] = [];
    const issued: Receipt[] = [];
    const wanted = seeds ?? RECEIPTS[scale];
    let app = await open();
    const ask = <T extends Tool>(tool: T, input: InputOf<T>): Promise<OutputOf<T>> =>
      invoke(tool, input, { ports: app.ports, principal: app.owner, transport: "proof", nested: true });
    const verify = (input: InputOf<typeof verifyReceipt>) => ask(verifyReceipt, input);
    const holds = async ({ receipt_id, symbol }: Receipt, input: Parameters<typeof verify>[0]) => {
      const { valid, reason } = await verify(input);
      if (valid !== true) broken.push(`${receipt_id} of ${symbol} does not verify: ${reason}`);
    };

    try {
      const members = app.ports.symbols.members();
      const now = app.ports.clock.now().getTime();
      const moments = Array.from({ length: Math.ceil(wanted / OF_ONE_MOMENT) }, () =>
        new Date(now - whole(1, REACH) * DAY).toISOString(),
      );
      while (issued.length < wanted) {
        const as_of = one(moments);
        const { symbol } = one(members);
        const timeframe = whole(0, 3) === 0 ? "4h" : "1d";
        const made = await ask(issueReceipt, { symbol, timeframe, as_of }).catch((thrown: unknown) => {
          // The company was not listed yet.
          if (asToolError(thrown).code !== "NOT_ENOUGH_DATA") throw thrown;
          count.tooShort++;
          return null;
        });
        if (made === null) continue;
        issued.push(made.receipt);
        await holds(made.receipt, { receipt: JSON.parse(JSON.stringify(made.receipt)) as Json });
      }
      for (const [n, receipt] of issued.entries()) {
        const other = issued[(n + 1) % issued.length]!;
        const kinds = Object.entries(FORGERIES);
        const [kind, forge] = kinds[n % kinds.length]!;
        const forging = { app, receipt, other, at: n * STEP, verify };
        for (const [name, way] of [[kind, forge] as const, ["field", field] as const]) {
          const { valid, reason } = await way(forging);
          count.forged++;
          ways[name] = (ways[name] ?? 0) + 1;
          if (valid !== false)
            broken.push(`${receipt.receipt_id}, ${name} forged, is not refused: ${reason}`);
        }
        if (n % 100 === 99) report(`${n + 1} receipts`);
      }
      await app.close();
      app = await open();
      for (const receipt of issued) {
        await holds(receipt, { receipt_id: receipt.receipt_id });
        count.again++;
      }
      return {
        figure: `${issued.length} receipts of ${new Set(issued.map(({ symbol }) => symbol)).size} symbols verify, and ${count.again} after a restart; ${count.forged} forged ones do not (${Object.entries(
          ways,
        )
          .map(([name, times]) => `${times} ${name}`)
          .join(", ")}): ${broken.length} wrong`,
        broken,
      };
    } finally {
      await app.close();
      remove();
    }
  },
};

const given = ({ verify }: Forging, receipt: object): Promise<Answer> =>
  verify({ receipt: JSON.parse(JSON.stringify(receipt)) as Json });

/** Changes one value of the receipt by the smallest amount. */
function field(forging: Forging): Promise<Answer> {
  const receipt = JSON.parse(JSON.stringify(forging.receipt)) as Json;
  const places = leavesOf(receipt);
  const { holder, name } = places[forging.at % places.length]!;
  holder[name] = changed(holder[name], forging.at);
  return given(forging, receipt);
}

const FORGERIES: Readonly<Record<string, (forging: Forging) => Promise<Answer>>> = {
  async added(forging) {
    const { receipt } = forging;
    return given(forging, { ...receipt, result: { ...receipt.result, note: "checked" } });
  },
  async "taken out"(forging) {
    const { drivers, ...rest } = forging.receipt.result;
    return given(forging, { ...forging.receipt, result: { ...rest, drivers: drivers.slice(1) } });
  },
  async "signature bit"(forging) {
    const bytes = Buffer.from(forging.receipt.signature, "base64url");
    bytes[forging.at % bytes.length]! ^= 1 << (forging.at % 8);
    return given(forging, { ...forging.receipt, signature: bytes.toString("base64url") });
  },
  "signature of another": (forging) =>
    given(forging, { ...forging.receipt, signature: forging.other.signature }),
  async "key swapped"(forging) {
    const stranger = { signer: signerOf(memorySecrets()) };
    const score = (forging.receipt.result.score ?? 0) + 1;
    return given(
      forging,
      await resign(forging.receipt, { result: { ...forging.receipt.result, score } }, stranger),
    );
  },
  async "signature of a stranger"(forging) {
    const { signature } = await signerOf(memorySecrets()).sign(() => signedText(forging.receipt));
    return given(forging, { ...forging.receipt, signature });
  },
  "inputs byte": (forging) =>
    withInputs(forging, (packed) => {
      const bytes = gunzipSync(Buffer.from(packed, "base64"));
      bytes[(forging.at * 7919) % bytes.length]! ^= 1 << (forging.at % 8);
      return gzipSync(bytes).toString("base64");
    }),
  "packed byte": (forging) =>
    withInputs(forging, (packed) => {
      const bytes = Buffer.from(packed, "base64");
      // behind the gzip header, whose time and system fields are not significant
      bytes[10 + ((forging.at * 7919) % (bytes.length - 10))]! ^= 1 << (forging.at % 8);
      return bytes.toString("base64");
    }),
  async "inputs of another"(forging) {
    const { packed } = await forging.app.store.db
      .selectFrom("receipt_inputs")
      .select("packed")
      .where("id", "=", forging.other.receipt_id)
      .executeTakeFirstOrThrow();
    return withInputs(forging, () => packed);
  },
  "stored verdict": (forging) =>
    withStored(forging, {
      ...forging.receipt,
      result: { ...forging.receipt.result, score: 99 + forging.at / 1e6 },
    }),
  "stored another": (forging) => withStored(forging, forging.other),
};

/** Verifies against changed stored inputs, then restores them. */
async function withInputs(
  { app, receipt: { receipt_id }, verify }: Forging,
  spoil: (packed: string) => string,
): Promise<Answer> {
  const { db } = app.store;
  const { packed } = await db
    .selectFrom("receipt_inputs")
    .select("packed")
    .where("id", "=", receipt_id)
    .executeTakeFirstOrThrow();
  const put = (text: string) =>
    db.updateTable("receipt_inputs").set({ packed: text }).where("id", "=", receipt_id).execute();
  await put(spoil(packed));
  try {
    return await verify({ receipt_id });
  } finally {
    await put(packed);
  }
}

/** Verifies by id against a changed stored text, then restores it. */
async function withStored({ app, receipt, verify }: Forging, forged: object): Promise<Answer> {
  const { receipt_id } = receipt;
  const put = (receipt: object) =>
    app.store.db
      .updateTable("receipts")
      .set({ receipt: JSON.stringify(receipt) })
      .where("id", "=", receipt_id)
      .execute();
  await put(forged);
  try {
    return await verify({ receipt_id });
  } finally {
    await put(receipt);
  }
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** Path of every scalar in a JSON value. */
function leavesOf(holder: Json): readonly Place[] {
  return Object.entries(holder).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? leavesOf(value as Json)
      : [{ holder: holder as Record<string, unknown>, name }],
  );
}

/** Returns the nearest other number, another digit in a text, or 0 for null. */
function changed(value: unknown, at: number): unknown {
  if (typeof value === "number") return value === 0 ? Number.MIN_VALUE : value * (1 + Number.EPSILON);
  if (typeof value !== "string" || value === "") return 0;
  const place = at % value.length;
  return `${value.slice(0, place)}${value[place] === "0" ? "1" : "0"}${value.slice(place + 1)}`;
}
