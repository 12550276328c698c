import { expect, it } from "vitest";
import type { Receipt } from "../../../src/domain/receipts/receipt.ts";
import { receiptRepository } from "../../../src/store/receipts/receipts.ts";
import { testStore } from "../../support/store.ts";

const id = (n: number) => `rc_${String(n).padStart(20, "0")}`;
/** The fields of a receipt that the store reads, and a text to identify it. */
const receipt = (n: number, symbol = "AAPL") =>
  ({ receipt_id: id(n), issued_at: new Date(Date.UTC(2026, 0, n)).toISOString(), symbol }) as Receipt;
const bytes = (n: number) => Uint8Array.from({ length: 1_000 }, (_, i) => (i * n) % 256);

async function openRepository(limits: { readonly maxReceipts?: number; readonly maxInputs?: number } = {}) {
  const { db } = await testStore();
  return { db, repository: receiptRepository({ db, market: "test", ...limits }) };
}

it("stores receipts and their inputs by account and market", async () => {
  const { db, repository } = await openRepository();
  await repository.save("ada", receipt(1), bytes(1));
  await repository.save("bob", receipt(1, "MSFT"), bytes(2));
  expect(await repository.find("ada", id(1))).toBe(JSON.stringify(receipt(1)));
  expect(await repository.find("bob", id(1))).toBe(JSON.stringify(receipt(1, "MSFT")));
  expect(Uint8Array.from((await repository.inputs("ada", id(1))) as Uint8Array)).toEqual(bytes(1));
  const elsewhere = receiptRepository({ db, market: "another" });
  for (const [where, account, which] of [
    [repository, "eve", id(1)],
    [repository, "ada", id(2)],
    [elsewhere, "ada", id(1)],
  ] as const) {
    expect(await where.find(account, which)).toBeNull();
    expect(await where.inputs(account, which)).toBeNull();
  }
});

it("never changes a receipt", async () => {
  const { repository } = await openRepository();
  await repository.save("ada", receipt(1), bytes(1));
  await expect(repository.save("ada", receipt(1, "MSFT"), bytes(2))).rejects.toThrow();
  expect(await repository.find("ada", id(1))).toBe(JSON.stringify(receipt(1)));
});

it("keeps the newest receipts of an account, and the inputs of fewer of them", async () => {
  const { repository } = await openRepository({ maxReceipts: 3, maxInputs: 2 });
  await repository.save("bob", receipt(1), bytes(1));
  for (const n of [1, 3, 2, 4]) await repository.save("ada", receipt(n), bytes(n));
  const stored = async (n: number) => [
    (await repository.find("ada", id(n))) !== null,
    (await repository.inputs("ada", id(n))) !== null,
  ];
  expect(await Promise.all([1, 2, 3, 4].map(stored))).toEqual([
    [false, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
  expect(await repository.inputs("bob", id(1))).not.toBeNull();
});

it("reports inputs that cannot be unpacked as damaged", async () => {
  const { db, repository } = await openRepository();
  await repository.save("ada", receipt(1), bytes(1));
  const { packed } = await db.selectFrom("receipt_inputs").select("packed").executeTakeFirstOrThrow();
  for (const spoiled of ["", "no gzip", `${packed} `, packed.slice(0, 40), flipped(packed)]) {
    await db.updateTable("receipt_inputs").set({ packed: spoiled }).execute();
    expect(await repository.inputs("ada", id(1)), spoiled).toBe("damaged");
  }
});

/** Flips one bit of the packed bytes. */
function flipped(packed: string): string {
  const changed = Buffer.from(packed, "base64");
  changed[Math.floor(changed.length / 2)]! ^= 1;
  return changed.toString("base64");
}
