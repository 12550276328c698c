import type { DatabaseConnection, Dialect, Driver } from "kysely";
import type { Span, Tracer } from "../domain/tracing-port.ts";

/** Records a span for each transaction of a dialect. Without a tracer, returns the dialect itself. */
export const tracedDialect = (dialect: Dialect, tracer: Tracer | undefined): Dialect =>
  tracer === undefined
    ? dialect
    : {
        createAdapter: () => dialect.createAdapter(),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
        createDriver: () => tracedDriver(dialect.createDriver(), tracer),
      };

function tracedDriver(driver: Driver, tracer: Tracer): Driver {
  const spans = new WeakMap<DatabaseConnection, Span>();
  const ended = async (connection: DatabaseConnection, error: string | undefined, work: Promise<void>) => {
    const span = spans.get(connection);
    try {
      await work;
      span?.end(error);
    } finally {
      span?.end("STORAGE");
    }
  };
  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    async beginTransaction(connection, settings) {
      const span = tracer.start("store transaction", {
        attributes: { access: settings.accessMode ?? "read write" },
      });
      spans.set(connection, span);
      await driver.beginTransaction(connection, settings).catch((cause: unknown) => {
        span.end("STORAGE");
        throw cause;
      });
    },
    commitTransaction: (connection) => ended(connection, undefined, driver.commitTransaction(connection)),
    rollbackTransaction: (connection) =>
      ended(connection, "ROLLBACK", driver.rollbackTransaction(connection)),
  };
}
