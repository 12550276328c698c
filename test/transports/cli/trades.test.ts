import { describe, expect, it } from "vitest";
import { AT, liveTicket, testTrading, UNTIL } from "./test-trading.ts";

const A = liveTicket("a");
const LINES = [
  "buy 3 AAPL, limit 100, for the day",
  `  account acme, alpaca live ${A.connection}`,
  "  price when previewed 100.5 USD, stop loss 95, take profit 110",
  "  maximum loss, USD: 15 at the stop, 300 at worst",
  `  expires ${UNTIL}`,
];

describe("trades list and show", () => {
  it("lists the pending live trades of all accounts and shows the preview of one", async () => {
    const { run, book, open } = await testTrading();
    expect((await run("trades", "list")).out).toBe("No live trades need confirmation.\n");
    await book.saveTicket("acme", A);
    await book.saveTicket("acme", liveTicket("b", { shown: { account_type: "paper" } }));
    const { out } = await run("trades", "list");
    expect(out.split("\n")[1]).toBe(
      `${A.id}  acme     buy 3 AAPL, limit 100, for the day  15 at the stop, 300 at worst  ${UNTIL}  no`,
    );
    expect(out).not.toContain("tk_b");
    expect((await run("trades", "list", "--account", "owner")).out).toBe(
      "No live trades need confirmation.\n",
    );
    expect(await run("trades", "show", A.id)).toEqual({
      code: 0,
      err: "",
      out: [...LINES, "  not confirmed", ""].join("\n"),
    });
    expect(JSON.parse((await run("trades", "list", "--json")).out)).toMatchObject({
      trades: [{ ticket_id: A.id, account: "acme", maximum_loss: { at_stop: "15" }, confirmed_at: null }],
    });
    expect(open()).toBe(0);
  });

  it("rejects an invalid ticket id, an unknown ticket and an ambiguous one", async () => {
    const { run, book } = await testTrading();
    expect(await run("trades", "show", "AAPL")).toMatchObject({ code: 2, err: /is not a ticket id/ });
    expect(await run("trades", "show", A.id)).toMatchObject({
      code: 1,
      err: /Ticket not found in this market/,
    });
    await book.saveTicket("acme", A);
    expect(await run("trades", "show", A.id, "--account", "owner")).toMatchObject({ code: 1 });
    await book.saveTicket("owner", A);
    expect(await run("trades", "show", A.id)).toMatchObject({ code: 2, err: /--account: owner, acme/ });
    expect(await run("trades", "show", A.id, "--account", "acme")).toMatchObject({ code: 0 });
  });
});

describe("trades confirm", () => {
  it("requires --yes without a terminal", async () => {
    const { run, book, entries } = await testTrading();
    await book.saveTicket("acme", A);
    expect(await run("trades", "confirm", A.id)).toMatchObject({ code: 2, err: /add --yes/ });
    expect(await book.ticket("acme", A.id)).toMatchObject({ confirmedAt: null });
    expect(entries).toEqual([]);
    const { code, out } = await run("trades", "confirm", A.id, "--yes");
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      ...LINES,
      `  confirmed ${AT}`,
      `Confirmed: the account that previewed the trade can send it once until ${UNTIL}.`,
      "",
    ]);
    expect(await book.ticket("acme", A.id)).toMatchObject({ confirmedAt: AT });
    expect(entries).toMatchObject([
      { account: "acme", event: "ticket_confirmed", about: { by: "owner", ticket_id: A.id } },
    ]);
    expect(await run("trades", "confirm", A.id, "--yes")).toMatchObject({ code: 0 });
    expect(entries).toHaveLength(1);
  });

  it("prompts at the terminal after showing the preview", async () => {
    const answers = ["no", "", "Yes"];
    const prompts: string[] = [];
    const { run, book } = await testTrading({
      prompt: async ({ question }) => {
        prompts.push(question);
        return answers.shift()!;
      },
    });
    await book.saveTicket("acme", A);
    for (let tries = 0; tries < 2; tries++) {
      const { code, out, err } = await run("trades", "confirm", A.id);
      expect({ code, err }).toEqual({ code: 130, err: "CANCELLED The trade was not confirmed\n" });
      expect(out).toBe([...LINES, "  not confirmed", ""].join("\n"));
    }
    expect(await book.ticket("acme", A.id)).toMatchObject({ confirmedAt: null });
    expect((await run("trades", "confirm", A.id)).code).toBe(0);
    expect(await book.ticket("acme", A.id)).toMatchObject({ confirmedAt: AT });
    expect(prompts).toEqual(Array(3).fill("Allow this trade to be sent? yes/no "));
  });

  it("rejects paper tickets, used or expired ones, and any ticket without an audit entry", async () => {
    const { run, book, clock, disk, entries } = await testTrading();
    const confirm = (digit: string) => run("trades", "confirm", liveTicket(digit).id, "--yes");
    await book.saveTicket("acme", liveTicket("b", { shown: { account_type: "paper" } }));
    expect(await confirm("b")).toMatchObject({ code: 2, err: /A paper trade needs no confirmation/ });
    await book.saveTicket("acme", liveTicket("c", { order: `or_${"c".repeat(20)}` }));
    expect(await confirm("c")).toMatchObject({ code: 1, err: /already used for order or_c/ });
    await book.saveTicket("acme", A);
    disk.full = true;
    expect(await confirm("a")).toMatchObject({ code: 1 });
    disk.full = false;
    clock.pass(5 * 60_000);
    expect(await confirm("a")).toMatchObject({ code: 1, err: /The ticket expired at/ });
    expect(await book.ticket("acme", A.id)).toMatchObject({ confirmedAt: null });
    expect(entries).toEqual([]);
  });
});
