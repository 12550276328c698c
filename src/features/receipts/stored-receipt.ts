import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import { Receipt, type Verification } from "../../domain/receipts/receipt.ts";
import { ToolError } from "../../kernel/errors.ts";
import { unreadableVerification, type VerifyPorts, verifyReceipt } from "./verify.ts";

interface Caller {
  readonly principal: Pick<Principal, "account">;
}

/** A receipt of the account. NOT_FOUND where it has none of that id, INTERNAL where what is kept is none any more. */
export async function requireReceipt(id: string, ctx: Caller & Pick<Ports, "receipts">): Promise<Receipt> {
  const said = parseObject(await requireReceiptText(id, ctx));
  const read = said === null ? null : Receipt.safeParse(said);
  if (read?.success !== true)
    throw new ToolError("INTERNAL", "What is kept under this id is no receipt any more", {
      hint: "The owner of the server can restore it from a backup.",
    });
  return read.data;
}

/** Verifies a receipt of the account as it stands in the store. NOT_FOUND where it has none of that id. */
export async function verifyStoredReceipt(id: string, ctx: Caller & VerifyPorts): Promise<Verification> {
  const said = parseObject(await requireReceiptText(id, ctx));
  return said === null
    ? unreadableVerification(id, "What is kept under this id is no receipt any more")
    : verifyReceipt(said, { account: ctx.principal.account, id }, ctx);
}

/** Verifies a receipt as somebody gives it: alone, or the whole answer that it was in. */
export function verifyGivenReceipt(
  given: Readonly<Record<string, unknown>>,
  ctx: Caller & VerifyPorts,
): Promise<Verification> {
  const { receipt } = given;
  const inside = typeof receipt === "object" && receipt !== null ? receipt : given;
  return verifyReceipt(inside, { account: ctx.principal.account }, ctx);
}

async function requireReceiptText(
  id: string,
  { principal, receipts }: Caller & Pick<Ports, "receipts">,
): Promise<string> {
  const said = await receipts.find(principal.account, id);
  if (said === null)
    throw new ToolError("NOT_FOUND", "There is no such receipt", {
      hint: "issue_receipt makes one; each account and market has its own.",
    });
  return said;
}

function parseObject(text: string): object | null {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === "object" && said !== null ? said : null;
  } catch {
    return null;
  }
}
