import type { Log } from "../../domain/ports.ts";
import type { AccountOrder, CallRepository, CheckedOrders } from "../../domain/track-record/calls-port.ts";
import { CheckRecord } from "../../domain/track-record/check-record.ts";
import { findRow, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import { forecastLog } from "./forecast-log.ts";

/** Creates the log of checked orders of one market, with their record; `isOn` false records nothing. */
export function checkLog({
  db,
  market,
  calls,
  isOn,
  log,
}: MarketDb & {
  readonly calls: Pick<CallRepository, "logChecks">;
  readonly isOn: boolean;
  readonly log: Log;
}): CheckedOrders & { close(): Promise<void> } {
  const { record, close } = forecastLog<AccountOrder>({
    name: "checks",
    keyOf: ({ account, symbol, decided_at, until, plan }) =>
      JSON.stringify([account, symbol, decided_at, until, plan]),
    write: (found) => calls.logChecks(found.map(({ entry }) => entry)),
    log,
  });
  return {
    record: isOn ? record : () => {},
    close,
    async published() {
      const row = await findRow(db, "check_records", { market });
      return readRow(CheckRecord, row?.json);
    },
  };
}
