import { describe, expect, it } from "vitest";
import { AT, liveTicket, tradingDesk, UNTIL } from "./trading-desk.ts";

const A = liveTicket("a");
const LINES = [
  "buy 3 AAPL, limit 100, for the day",
  `  account desk, alpaca live ${A.connection}`,
  "  price when previewed 100.5 USD, stop loss 95, take profit 110",
  "  maximum loss, USD: 15 at the stop, 300 at the worst",
  `  expires ${UNTIL}`,
];

describe("trades list and show", () => {
  it("lists the live trades of every account that wait, and shows one whole", async () => {
    const { run, book, open } = await tradingDesk();
    expect((await run("trades", "list")).out).toBe("No live trade waits.\n");
    await book.saveTicket("desk", A);
    await book.saveTicket("desk", liveTicket("b", { shown: { account_type: "paper" } }));
    const { out } = await run("trades", "list");
    expect(out.split("\n")[1]).toBe(
      `${A.id}  desk     buy 3 AAPL, limit 100, for the day  15 at the stop, 300 at the worst  ${UNTIL}  no`,
    );
    expect(out).not.toContain("tk_b");
    expect((await run("trades", "list", "--account", "owner")).out).toBe("No live trade waits.\n");
    expect(await run("trades", "show", A.id)).toEqual({
      code: 0,
      err: "",
      out: [...LINES, "  not confirmed", ""].join("\n"),
    });
    expect(JSON.parse((await run("trades", "list", "--json")).out)).toMatchObject({
      trades: [{ ticket_id: A.id, account: "desk", maximum_loss: { at_stop: "15" }, confirmed_at: null }],
    });
    expect(open()).toBe(0);
  });

  it("refuses what is no ticket, and one that is not there", async () => {
    const { run, book } = await tradingDesk();
    expect(await run("trades", "show", "AAPL")).toMatchObject({ code: 2, err: /is no id of a ticket/ });
    expect(await run("trades", "show", A.id)).toMatchObject({ code: 1, err: /no such ticket/ });
    await book.saveTicket("desk", A);
    expect(await run("trades", "show", A.id, "--account", "owner")).toMatchObject({ code: 1 });
    await book.saveTicket("owner", A);
    expect(await run("trades", "show", A.id)).toMatchObject({ code: 2, err: /--account: owner, desk/ });
    expect(await run("trades", "show", A.id, "--account", "desk")).toMatchObject({ code: 0 });
  });
});

describe("trades confirm", () => {
  it("needs --yes where nobody can be asked", async () => {
    const { run, book, acts } = await tradingDesk();
    await book.saveTicket("desk", A);
    expect(await run("trades", "confirm", A.id)).toMatchObject({ code: 2, err: /add --yes/ });
    expect(await book.ticket("desk", A.id)).toMatchObject({ confirmedAt: null });
    expect(acts).toEqual([]);
    const { code, out } = await run("trades", "confirm", A.id, "--yes");
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      ...LINES,
      `  confirmed ${AT}`,
      `Confirmed: the account that previewed it may send it once until ${UNTIL}.`,
      "",
    ]);
    expect(await book.ticket("desk", A.id)).toMatchObject({ confirmedAt: AT });
    expect(acts).toMatchObject([
      { account: "desk", event: "ticket_confirmed", about: { by: "owner", ticket_id: A.id } },
    ]);
    expect(await run("trades", "confirm", A.id, "--yes")).toMatchObject({ code: 0 });
    expect(acts).toHaveLength(1);
  });

  it("asks the person at the terminal, who sees what is confirmed", async () => {
    const answers = ["no", "", "Yes"];
    const asked: string[] = [];
    const { run, book } = await tradingDesk({
      prompt: async (question) => {
        asked.push(question);
        return answers.shift()!;
      },
    });
    await book.saveTicket("desk", A);
    for (let tries = 0; tries < 2; tries++) {
      const { code, out, err } = await run("trades", "confirm", A.id);
      expect({ code, err }).toEqual({ code: 130, err: "CANCELLED Nothing was confirmed\n" });
      expect(out).toBe([...LINES, "  not confirmed", ""].join("\n"));
    }
    expect(await book.ticket("desk", A.id)).toMatchObject({ confirmedAt: null });
    expect((await run("trades", "confirm", A.id)).code).toBe(0);
    expect(await book.ticket("desk", A.id)).toMatchObject({ confirmedAt: AT });
    expect(asked).toEqual(Array(3).fill("Let it be sent? yes/no "));
  });

  it("confirms nothing that is of paper, was used, has expired or cannot be written down", async () => {
    const { run, book, clock, paper, acts } = await tradingDesk();
    const confirm = (digit: string) => run("trades", "confirm", liveTicket(digit).id, "--yes");
    await book.saveTicket("desk", liveTicket("b", { shown: { account_type: "paper" } }));
    expect(await confirm("b")).toMatchObject({ code: 2, err: /on paper needs no confirmation/ });
    await book.saveTicket("desk", liveTicket("c", { order: `or_${"c".repeat(20)}` }));
    expect(await confirm("c")).toMatchObject({ code: 1, err: /became the order or_c/ });
    await book.saveTicket("desk", A);
    paper.full = true;
    expect(await confirm("a")).toMatchObject({ code: 1 });
    paper.full = false;
    clock.pass(5 * 60_000);
    expect(await confirm("a")).toMatchObject({ code: 1, err: /The ticket expired at/ });
    expect(await book.ticket("desk", A.id)).toMatchObject({ confirmedAt: null });
    expect(acts).toEqual([]);
  });
});
