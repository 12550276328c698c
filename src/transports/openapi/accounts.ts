import { PLAN_RANK } from "../../domain/accounts/access.ts";
import { ACCOUNTS_PATH } from "../rest/accounts.ts";
import { problemRefs } from "./parts.ts";

const ACCOUNT = {
  name: "account",
  in: "path",
  required: true,
  description: "Id of the account",
  schema: { type: "string" },
  example: "acme",
} as const;

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const FIELDS = {
  id: text,
  plan: { type: "string", enum: Object.keys(PLAN_RANK) },
  terms: { ...textOrNull, description: "Row of the plan schedule in place of that of the plan" },
  created_at: { type: "string", format: "date-time" },
  suspended_at: { ...textOrNull, description: "null: not suspended" },
  last_used_at: { ...textOrNull, description: "Hour in which one of its keys was last used" },
} as const;
const SUMMARY = { type: "object", properties: { ...FIELDS, keys: { type: "integer" } } } as const;
const COUNTS = {
  type: "object",
  additionalProperties: { type: "integer" },
  description: "Number of rows by table",
} as const;
const DETAILS = {
  type: "object",
  properties: {
    ...FIELDS,
    keys: { type: "array", items: { type: "object" } },
    stored: COUNTS,
    open_live_orders: { type: "array", items: text },
  },
} as const;

/** Describes an operation of an administrator. */
const operation = (
  operationId: string,
  summary: string,
  description: string,
  {
    schema,
    body,
    inAccount = true,
  }: { readonly schema: object; readonly body?: object; readonly inAccount?: boolean },
) => ({
  operationId,
  summary,
  description,
  tags: ["system"],
  "x-plan": "member",
  "x-scope": "admin",
  ...(inAccount && { parameters: [ACCOUNT] }),
  ...(body !== undefined && {
    requestBody: { required: true, content: { "application/json": { schema: body } } },
  }),
  responses: {
    200: { description: "OK", content: { "application/json": { schema } } },
    ...problemRefs(),
  },
});

/** Returns the paths of the administration of accounts with their operations. */
export function accountPaths(): Readonly<Record<string, Readonly<Record<string, object>>>> {
  const one = `${ACCOUNTS_PATH}/{account}`;
  return {
    [ACCOUNTS_PATH]: {
      get: operation("list_accounts", "List accounts", "Lists all accounts of the server, oldest first.", {
        schema: { type: "object", properties: { accounts: { type: "array", items: SUMMARY } } },
        inAccount: false,
      }),
    },
    [one]: {
      get: operation(
        "get_account",
        "Get account",
        "Returns an account, its keys and what is stored for it.",
        {
          schema: DETAILS,
        },
      ),
      delete: operation(
        "delete_account",
        "Delete account",
        "Deletes an account with everything stored for it; its audit entries stay. Refused with CONFLICT while an order may still be filled in a live account.",
        { schema: { type: "object", properties: { account: text, deleted: COUNTS } } },
      ),
    },
    [`${one}/plan`]: {
      put: operation(
        "set_account_plan",
        "Set plan",
        "Changes the plan of an account, and its keys at once.",
        {
          schema: SUMMARY,
          body: { type: "object", properties: { plan: FIELDS.plan, terms: textOrNull } },
        },
      ),
    },
    [`${one}/suspend`]: {
      post: operation(
        "suspend_account",
        "Suspend account",
        "Refuses all keys of an account with FORBIDDEN, within a second, until it is resumed.",
        { schema: SUMMARY },
      ),
    },
    [`${one}/resume`]: {
      post: operation("resume_account", "Resume account", "Accepts the keys of a suspended account again.", {
        schema: SUMMARY,
      }),
    },
    [`${one}/export`]: {
      get: operation(
        "export_account",
        "Export account",
        "Returns everything stored for an account, and its audit entries, without secrets.",
        {
          schema: {
            type: "object",
            properties: {
              account: text,
              exported_at: text,
              tables: { type: "object", description: "Rows by table" },
            },
          },
        },
      ),
    },
  };
}
