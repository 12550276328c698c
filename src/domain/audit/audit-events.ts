/** Actions of an account that the audit log records. */
export const AUDIT_EVENTS = [
  "connection_added",
  "connection_removed",
  "ticket_confirmed",
  "order_refused",
  "order_sending",
  "order_outcome",
  "order_cancelled",
  "order_reconciled",
  "kill_switch",
  "limits",
  "account_plan",
  "account_suspended",
  "account_resumed",
  "account_exported",
  "account_deleted",
  "restored",
  "key_created",
  "key_revoked",
] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];
