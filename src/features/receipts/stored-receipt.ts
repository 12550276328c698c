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
    throw new ToolError("INTERNAL", "What is kept under this id is no receipt any more", {
      hint: "The owner of the server can restore it from a backup.",
    });
  return read.data;
}

/** Verifies a stored receipt. @throws ToolError NOT_FOUND */
export async function verifyStoredReceipt(id: string, ctx: Caller & VerifyPorts): Promise<Verification> {
  const stored = parseObject(await requireReceiptText(id, ctx));
  return stored === null
    ? unreadableVerification(id, "What is kept under this id is no receipt any more")
    : verifyReceipt(stored, { account: ctx.principal.account, id }, ctx);
}

/** Verifies a receipt passed alone or inside the response that contained it. */
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
    throw new ToolError("NOT_FOUND", "There is no such receipt", {
      hint: "issue_receipt makes one; each account and market has its own.",
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
