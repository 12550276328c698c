import { afterEach, describe, expect, it } from "vitest";
import { createMailer } from "../../../src/transports/outbound/mail.ts";
import { smtpServer } from "../../support/smtp.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
async function mailer(reply?: (count: number) => string) {
  const server = await smtpServer(reply);
  ends.push(server.close);
  const allowed = ["ada@example.com", "@example.org"];
  return { server, mailer: createMailer({ url: server.url, from: "alerts@example.net", allowed }) };
}
const mail = { to: "ada@example.com", subject: "AAPL 1d", text: "AAPL rose.\n", id: "al_1" };
const codeOf = (task: () => unknown) => {
  try {
    task();
    return "allowed";
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
};

describe("mail", () => {
  it("is sent in plain text, with the same id at every attempt", async () => {
    const { server, mailer: sender } = await mailer();
    expect([await sender.send(mail), await sender.send(mail)]).toEqual([250, 250]);
    const [first, second] = server.got;
    expect(first).toMatchObject({ from: "alerts@example.net", to: ["ada@example.com"] });
    for (const line of [
      "To: ada@example.com",
      "Subject: AAPL 1d",
      "Message-ID: <al_1@market-signal.invalid>",
      "AAPL rose.",
    ])
      expect([first!.data.includes(line), second!.data.includes(line)], line).toEqual([true, true]);
  });

  it("goes to the allowed addresses and domains only", async () => {
    const { server, mailer: sender } = await mailer();
    const addresses = [
      "ADA@example.com",
      "bob@example.org",
      "bob@example.com",
      "bob@sub.example.org",
      "ada@example.com, eve@example.net",
      "eve@example.net,ada@example.com",
    ];
    expect(addresses.map((address) => codeOf(() => sender.check(address)))).toEqual([
      "allowed",
      "allowed",
      "INVALID_INPUT",
      "INVALID_INPUT",
      "INVALID_INPUT",
      "INVALID_INPUT",
    ]);
    await expect(sender.send({ ...mail, to: "eve@example.net" })).rejects.toMatchObject({ code: "REFUSED" });
    expect(server.got).toEqual([]);
  });

  it.each(["\r\nBcc: eve@example.net", "\nRCPT TO:<eve@example.net>", "\r\n\r\nother body"])(
    "takes no header or recipient from a subject with %j",
    async (text) => {
      const { server, mailer: sender } = await mailer();
      await sender.send({ ...mail, subject: `AAPL${text}` });
      const [{ to, data }] = server.got as [(typeof server.got)[number]];
      expect(to).toEqual(["ada@example.com"]);
      expect(data.split("\r\n\r\n")[0]).not.toMatch(/^(bcc|rcpt)/im);
    },
  );

  it("returns the code of a refusal, and fails without a server", async () => {
    const { mailer: sender } = await mailer((count) => (count === 1 ? "451 later" : "550 no such mailbox"));
    expect([await sender.send(mail), await sender.send(mail)]).toEqual([451, 550]);
    const gone = createMailer({ url: "smtp://127.0.0.1:9", from: "a@example.net", allowed: [mail.to] });
    await expect(gone.send(mail)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    const none = createMailer({ url: undefined, from: undefined, allowed: [] });
    expect(codeOf(() => none.check(mail.to))).toBe("NOT_CONNECTED");
  });
});
