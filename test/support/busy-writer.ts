import Database from "better-sqlite3";
import { stopBetweenEvents } from "../../src/lib/stop-signal.ts";

// Holds the write lock of the database named by the first argument most of the time.
stopBetweenEvents();
const db = new Database(process.argv[2]!);
db.exec("CREATE TABLE IF NOT EXISTS rows (n INTEGER)");
const write = db.transaction(() => {
  db.exec("INSERT INTO rows VALUES (1)");
  const end = performance.now() + 30;
  while (performance.now() < end);
});
setInterval(() => write.immediate(), 1);
process.stdout.write("ready\n");
