import type { Mailer } from "../../domain/alerts/mail-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isLocalHost } from "../../lib/local-host.ts";

const TIMEOUT_MS = 10_000;
const DELIVERED = 250;

export interface MailSettings {
  /** Address of the mail server, with its user and password. Undefined: no mail is sent. */
  readonly url: string | undefined;
  /** Sender. */
  readonly from: string | undefined;
  /** Addresses, and domains such as `@example.com`, in lower case. */
  readonly allowed: readonly string[];
}

/** Creates the mailer. The library is loaded at the first mail. */
export function createMailer({ url, from, allowed }: MailSettings): Mailer {
  const findFault = (address: string): ToolError | null => {
    if (url === undefined || from === undefined)
      return new ToolError("NOT_CONNECTED", "This server sends no mail", {
        hint: "The owner of the server sets SMTP_URL, SMTP_FROM and SMTP_TO.",
      });
    const lower = address.toLowerCase();
    if (allowed.includes(lower) || allowed.includes(lower.slice(lower.lastIndexOf("@")))) return null;
    return new ToolError("INVALID_INPUT", "This server sends no mail to that address", {
      hint: "The owner of the server lists the addresses in SMTP_TO.",
    });
  };
  let opening: Promise<Awaited<ReturnType<typeof open>>> | undefined;
  const open = async (server: string) => {
    const { createTransport } = await import("nodemailer");
    const { protocol, hostname, port, username, password } = new URL(server);
    const auth =
      username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ""),
      ...(port !== "" && { port: Number(port) }),
      secure: protocol === "smtps:",
      // a password never leaves this machine unencrypted
      requireTLS: auth !== null && !isLocalHost(hostname),
      ...(auth !== null && { auth }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    check(address) {
      const fault = findFault(address);
      if (fault !== null) throw fault;
    },
    async send({ to, subject, text, id }) {
      const fault = findFault(to);
      if (fault !== null) throw new ToolError("REFUSED", fault.message, { hint: fault.hint ?? "" });
      opening ??= open(url!);
      const transport = await opening;
      try {
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject,
          text,
          messageId: `<${id}@market-signal.invalid>`,
          headers: { "auto-submitted": "auto-generated" },
        });
        return DELIVERED;
      } catch (cause) {
        const code = (cause as { readonly responseCode?: unknown }).responseCode;
        if (typeof code === "number") return code;
        throw new ToolError("UPSTREAM_UNAVAILABLE", "The mail server did not take the message", {
          hint: "It is sent again later. If this persists, the owner checks SMTP_URL.",
          cause,
        });
      }
    },
  };
}
