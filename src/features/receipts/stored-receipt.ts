import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import { Receipt, type Verification } from "../../domain/receipts/receipt.ts";
import { ToolError } from "../../kernel/errors.ts";
import { unreadableVerification, type VerifyPorts, verifyReceipt } from "./verify.ts";

interface Caller {
  readonly principal: Pick<Principal, "account">;
}

/** Returns a receipt of the account. @throws ToolError NOT_FOUND, or INTERNAL when the stored text is corrupt */
export async function requireReceipt(id: string, ctx: Caller & Pick<Ports, "receipts">): Promise<Receipt> {
  const stored = parseObject(await requireReceiptText(id, ctx));
  const read = stored === null ? null : Receipt.safeParse(stored);
  if (read?.success !== true)
    throw new ToolError("INTERNAL", "The stored receipt is damaged", {
      hint: "The server owner can restore it from a backup.",
    });
  return read.data;
}

/** Verifies a stored receipt. @throws ToolError NOT_FOUND */
export async function verifyStoredReceipt(id: string, ctx: Caller & VerifyPorts): Promise<Verification> {
  const stored = parseObject(await requireReceiptText(id, ctx));
  return stored === null
    ? unreadableVerification(id, "The stored receipt is damaged")
    : verifyReceipt(stored, { account: ctx.principal.account, id }, ctx);
}

/** Verifies a receipt, or the receipt inside a response. */
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
  const stored = await receipts.find(principal.account, id);
  if (stored === null)
    throw new ToolError("NOT_FOUND", "Receipt not found", {
      hint: "issue_receipt creates one; receipts belong to one account and market.",
    });
  return stored;
}

function parseObject(text: string): object | null {
  try {
    const stored: unknown = JSON.parse(text);
    return typeof stored === "object" && stored !== null ? stored : null;
  } catch {
    return null;
  }
}
