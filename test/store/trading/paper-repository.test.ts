import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PaperChange, PaperOrder } from "../../../src/domain/trading/paper-repository-port.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { paperRepository } from "../../../src/store/trading/paper-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const AT = "2026-01-15T15:00:00.000Z";
const ada = { account: "ada", connection: "cn_1" };
const order = (clientOrderId: string, over: Partial<PaperOrder> = {}): PaperOrder => ({
  id: `po_${clientOrderId}`,
  clientOrderId,
  leg: "entry",
  parent: null,
  intent: {
    symbol: "AAPL",
    side: "buy",
    type: "market",
    quantity: "2",
    limit_price: null,
    stop_price: null,
    time_in_force: "gtc",
    take_profit: null,
    stop_loss: null,
  },
  status: "working",
  filledQuantity: "0",
  filledValue: "0",
  fees: "0",
  reason: null,
  triggered: false,
  matchedTo: AT,
  expiresAt: null,
  createdAt: AT,
  updatedAt: AT,
  ...over,
});
const bought: PaperChange = {
  cash: "800",
  positions: [{ symbol: "AAPL", quantity: "2", cost: "200", averagePrice: "100.001" }],
  orders: [order("a", { status: "filled", filledQuantity: "2", filledValue: "200" })],
  fills: [
    {
      clientOrderId: "a",
      number: 1,
      symbol: "AAPL",
      side: "buy",
      quantity: "2",
      price: "100",
      fee: "0",
      at: AT,
    },
  ],
  rows: [
    { booking: 1, ledger: "cash", symbol: "AAPL", amount: "-200", quantity: null },
    { booking: 1, ledger: "position", symbol: "AAPL", amount: "200", quantity: "2" },
  ],
};

/** A repository with an open account of ada. */
async function openRepository() {
  const { db } = await testStore();
  const repository = paperRepository({ db, market: "test" });
  await repository.open(ada, "1000", AT);
  return { db, repository };
}
const noChange = { ...bought, orders: [], fills: [], rows: [] };

describe("paper accounts", () => {
  it("are opened once, with a balanced ledger", async () => {
    const repository = paperRepository({ db: (await testStore()).db, market: "test" });
    expect(await repository.read(ada)).toBeNull();
    await repository.open(ada, "1000", AT);
    await repository.open(ada, "5", AT);
    expect(await repository.read(ada)).toEqual({
      version: 1,
      openingCash: "1000",
      closes: [],
      cash: "1000",
      fills: 0,
      openedAt: AT,
      fillModel: "market",
      positions: [],
      working: [],
    });
    expect((await repository.ledger(ada)).map(({ amount }) => amount)).toEqual(["1000", "-1000"]);
  });

  it("are written completely, or not at all after a concurrent write", async () => {
    const { repository } = await openRepository();
    const written = await Promise.all([1, 2].map(() => repository.write(ada, 1, bought)));
    expect(written.toSorted()).toEqual([false, true]);
    expect(await repository.read(ada)).toMatchObject({
      version: 2,
      cash: "800",
      fills: 1,
      positions: bought.positions,
    });
    expect(await repository.fills(ada)).toEqual(bought.fills);
    expect((await repository.ledger(ada)).slice(2)).toEqual(bought.rows);
    // a fill of that number exists: the whole write is rolled back
    await expect(repository.write(ada, 2, { ...bought, cash: "0" })).rejects.toThrow(/unique/i);
    expect(await repository.read(ada)).toMatchObject({ version: 2, cash: "800" });
  });

  it("compute the average of an older position from its cost", async () => {
    const { db, repository } = await openRepository();
    await repository.write(ada, 1, bought);
    expect((await repository.read(ada))?.positions).toEqual(bought.positions);
    await db.updateTable("paper_positions").set({ average_price: null }).execute();
    expect((await repository.read(ada))?.positions).toEqual([
      { ...bought.positions[0], averagePrice: "100" },
    ]);
  });

  it("delete a position of zero units, and store an order under its client id", async () => {
    const { repository } = await openRepository();
    await repository.write(ada, 1, { ...bought, orders: [order("a")] });
    const stored = order("a", { status: "cancelled", reason: "why" });
    const positions = [{ symbol: "AAPL", quantity: "0", cost: "0", averagePrice: "0" }];
    await repository.write(ada, 2, { ...noChange, positions, orders: [stored] });
    expect(await repository.read(ada)).toMatchObject({ positions: [], working: [] });
    expect(await repository.order(ada, { clientOrderId: "a" })).toEqual(stored);
    expect(await repository.order(ada, { id: "po_a" })).toEqual(stored);
    expect(await repository.orders(ada, AT)).toEqual([stored]);
    expect(await repository.orders(ada, "2026-01-15T15:00:00.001Z")).toEqual([]);
  });

  it("number splits and fills in one sequence, and store closes until they are replaced", async () => {
    const { db, repository } = await openRepository();
    const closes = [{ symbol: "AAPL", day: Date.UTC(2026, 0, 14), close: "100.5" }];
    await repository.write(ada, 1, { ...bought, closes });
    const splits = [{ number: 2, symbol: "AAPL", ratio: "4", at: AT }];
    const row = { booking: 2, ledger: "position" as const, symbol: "AAPL", amount: "0", quantity: "6" };
    await repository.write(ada, 2, { ...noChange, rows: [row], splits });
    expect(await repository.read(ada)).toMatchObject({ version: 3, fills: 2, closes });
    expect(await repository.splits(ada)).toEqual(splits);
    expect((await repository.ledger(ada)).at(-1)).toEqual(row);
    await repository.write(ada, 3, { ...noChange, closes: [] });
    expect((await repository.read(ada))?.closes).toEqual([]);
    expect(await repository.splits({ ...ada, account: "bob" })).toEqual([]);
    expect(await paperRepository({ db, market: "another" }).splits(ada)).toEqual([]);
  });

  it("return all orders of a bracket while one of them is working", async () => {
    const { repository } = await openRepository();
    const filled = { status: "filled" } as const;
    const orders = [
      order("a", filled),
      order("a-sl", { leg: "stop_loss", parent: "a", status: "cancelled" }),
      order("a-tp", { leg: "take_profit", parent: "a" }),
      order("b", filled),
    ];
    await repository.write(ada, 1, { ...bought, orders });
    expect((await repository.read(ada))?.working.map(({ clientOrderId }) => clientOrderId)).toEqual([
      "a",
      "a-sl",
      "a-tp",
    ]);
  });

  it("belong to one account, connection and market", async () => {
    const { db, repository } = await openRepository();
    await repository.write(ada, 1, bought);
    const elsewhere = [
      [repository, { account: "bob", connection: "cn_1" }],
      [repository, { account: "ada", connection: "cn_2" }],
      [paperRepository({ db, market: "another" }), ada],
    ] as const;
    for (const [other, owner] of elsewhere) {
      expect(await other.read(owner)).toBeNull();
      expect(await other.order(owner, { clientOrderId: "a" })).toBeNull();
      expect(await other.order(owner, { id: "po_a" })).toBeNull();
      expect(await other.orders(owner, AT)).toEqual([]);
      expect(await other.fills(owner)).toEqual([]);
      expect(await other.ledger(owner)).toEqual([]);
      expect(await other.write(owner, 2, bought)).toBe(false);
      await other.open(owner, "7", AT);
      expect((await repository.read(ada))?.cash).toBe("800");
    }
  });

  it("are restored when the data folder is opened again", async () => {
    const opened = { dataDir: join(tempDir(), "data"), clock: stoppedClock() };
    const first = await openStore(opened);
    const repository = paperRepository({ db: first.db, market: "test" });
    await repository.open(ada, "1000", AT);
    await repository.write(ada, 1, bought);
    await first.close();
    const second = await openStore(opened);
    expect(await paperRepository({ db: second.db, market: "test" }).fills(ada)).toEqual(bought.fills);
    await second.close();
  });
});
