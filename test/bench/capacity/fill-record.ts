import pg from "pg";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { HORIZONS } from "../../../src/domain/track-record/track.ts";

/** Number of symbols, and of sessions of the past, one nightly run on each. */
export interface RecordSize {
  readonly symbols: number;
  readonly days: number;
}

/** Sessions of which every symbol has outcomes: scoring reads 1,000 days back, which have about 690 sessions. */
const SCORED_DAYS = 700;
/** Symbols with outcomes and odds on every day. */
const WHOLE_SYMBOLS = 100;
/** Sessions of which every symbol has odds. */
const ODDS_DAYS = 250;
/** Number of runs whose rows are stored, as in the product. */
const ROW_RUNS = 30;
const CONNECTIONS = 2;

/** Tables that are filled, in this order. */
export const FILLED_TABLES = [
  "engine_runs",
  "engine_rows",
  "engine_ranks",
  "engine_results",
  "signals",
  "odds_forecasts",
  "signal_outcomes",
  "base_results",
] as const;

/** Tables whose indexes are built after they are filled, which takes a fraction of the time. */
const LARGE_TABLES = ["engine_results", "signals", "odds_forecasts", "signal_outcomes", "base_results"];

const RUN_ID = "md5('run ' || d.n)::uuid::text";
const SIGNAL_ID = "substr(md5(s.symbol || ' ' || d.n), 1, 24)";
/** A share from 0 to 1 that depends on symbol and day. */
const SHARE = "((hashtext(s.symbol || d.n) & 65535) / 65536.0)::float8";
const FROM_DAY = "FROM past_symbols AS s CROSS JOIN (SELECT * FROM past_days WHERE n = $1) AS d";

/** The statements that write the record of one day; $1: its number, 0 for the newest. */
const DAY_STATEMENTS = (market: string): readonly string[] => [
  `INSERT INTO engine_runs SELECT ${RUN_ID} AS run_id, '${market}' AS market, 'all' AS universe, '1d' AS timeframe,
    '${MODEL_VERSION}' AS model_version, d.decided_at AS as_of, d.run_at AS started_at, d.run_at, 'c6f2c2382144bc8b' AS universe_hash,
    (SELECT json_agg(symbol ORDER BY symbol)::text FROM past_symbols) AS members, NULL AS market_index, NULL AS content
    FROM past_days AS d WHERE n = $1`,
  `INSERT INTO engine_results SELECT ${RUN_ID} AS run_id, d.run_at, '${market}' AS market, s.symbol, '1d' AS timeframe,
    100 * ${SHARE} AS score, s.grade, s.direction ${FROM_DAY}`,
  `INSERT INTO engine_rows SELECT ${RUN_ID} AS run_id, s.symbol, 100 * ${SHARE} AS score, s.grade, s.direction, s.row_json AS json
    ${FROM_DAY} WHERE d.n < ${ROW_RUNS}`,
  `INSERT INTO engine_ranks SELECT ${RUN_ID} AS run_id, 'stocks' AS kind, '906fae8b4f5eca63' AS hash, json_build_object('time', d.bar,
    'returns', (SELECT json_object_agg(symbol, 0.1) FROM past_symbols))::text AS json FROM past_days AS d WHERE n = $1 AND n < ${ROW_RUNS}`,
  `INSERT INTO signals SELECT ${SIGNAL_ID} AS id, '${market}' AS market, s.symbol, 'equity' AS asset_class, '1d' AS timeframe,
    d.decided_at, 'scheduled' AS origin, ${RUN_ID} AS run_id, s.direction, s.grade, 100 * ${SHARE} AS score, 'NEUTRAL' AS tier,
    100.5 AS entry, 95.25 AS stop, 112.75 AS target, 100 + ${SHARE} AS close, md5(s.symbol || d.n) AS inputs_hash,
    '${MODEL_VERSION}' AS model_version, d.run_at AS logged_at ${FROM_DAY}`,
  `INSERT INTO odds_forecasts SELECT ${SIGNAL_ID} AS id, s.odds_version AS version, s.odds_json AS json
    ${FROM_DAY} WHERE d.n < ${ODDS_DAYS} OR s.n < ${WHOLE_SYMBOLS}`,
  `INSERT INTO base_results SELECT ${SIGNAL_ID} AS id, 2 * ${SHARE} - 1 AS long_r, 1 - 2 * ${SHARE} AS short_r
    ${FROM_DAY} WHERE d.n < ${SCORED_DAYS} OR s.n < ${WHOLE_SYMBOLS}`,
  `INSERT INTO signal_outcomes SELECT ${SIGNAL_ID} AS id, h.horizon, known.decided_at AS known_at, 0.1 * (${SHARE} - 0.5) AS change,
    2 * ${SHARE} - 1 AS r, 0.06 AS highest, -0.05 AS lowest, NULL AS plan_end
    ${FROM_DAY} CROSS JOIN (VALUES ${HORIZONS.map((bars) => `(${bars})`).join(", ")}) AS h (horizon)
    JOIN past_days AS known ON known.n = d.n - h.horizon WHERE d.n < ${SCORED_DAYS} OR s.n < ${WHOLE_SYMBOLS}`,
];

/** Sessions before a time, newest first: the closes of Monday to Friday, as this market dates them, at midnight. */
function sessionsBefore(now: number, count: number): readonly Date[] {
  const found: Date[] = [];
  for (
    let at = Math.floor(now / 86_400_000) * 86_400_000 - 86_400_000;
    found.length < count;
    at -= 86_400_000
  )
    if (![0, 1].includes(new Date(at).getUTCDay())) found.push(new Date(at));
  return found;
}

/**
 * Writes the record of nightly runs over many symbols into a database in which one run was made, whose rows are the
 * models of all others. Symbols of that run are among them.
 */
export async function fillRecord(
  url: string,
  { market, symbols, days, now }: RecordSize & { readonly market: string; readonly now: number },
): Promise<void> {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  const [client] = clients as [pg.Client];
  try {
    for (const one of clients) await one.connect();
    await prepare(client, { symbols, sessions: sessionsBefore(now, days) });
    const indexes = await dropIndexes(client);
    let next = days - 1;
    await Promise.all(
      clients.map(async (one) => {
        await one.query("SET synchronous_commit = off");
        for (let n = next--; n >= 0; n = next--) {
          for (const statement of DAY_STATEMENTS(market)) await one.query(statement, [n]);
          if (n % 250 === 0) console.log(`  ${days - n} of ${days} days`);
        }
      }),
    );
    await client.query("SET maintenance_work_mem = '1GB'");
    for (const index of indexes) await client.query(index);
    for (const table of FILLED_TABLES) await client.query(`VACUUM ANALYZE ${table}`);
    await client.query("DROP TABLE past_days, past_symbols");
  } finally {
    for (const one of clients) await one.end();
  }
}

/** Creates the tables from which the statements of a day read, and lets the large tables do without a write-ahead log. */
async function prepare(
  client: pg.Client,
  { symbols, sessions }: { readonly symbols: number; readonly sessions: readonly Date[] },
): Promise<void> {
  await client.query(
    "CREATE TABLE past_days (n integer PRIMARY KEY, decided_at text, run_at text, bar float8)",
  );
  const iso = (ms: number) => sessions.map((at) => new Date(at.getTime() + ms).toISOString());
  await client.query(
    "INSERT INTO past_days SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::float8[])",
    [sessions.map((_, n) => n), iso(0), iso(10 * 60_000), sessions.map((at) => at.getTime() - 86_400_000)],
  );
  await client.query(
    `CREATE TABLE past_symbols AS
      WITH model AS (
        SELECT row_number() OVER (ORDER BY e.symbol) - 1 AS n, e.symbol, e.grade, e.direction, e.json AS row_json, f.version, f.json
        FROM engine_rows AS e JOIN signals AS g ON g.symbol = e.symbol JOIN odds_forecasts AS f ON f.id = g.id)
      SELECT i AS n, CASE WHEN i < count THEN model.symbol ELSE 'ZZ' || lpad(i::text, 5, '0') END AS symbol, model.grade,
        model.direction, model.row_json, model.version AS odds_version, model.json AS odds_json
      FROM (SELECT count(*)::int AS count FROM model) AS all_models
      CROSS JOIN generate_series(0, ${symbols - 1}) AS i JOIN model ON model.n = i % count`,
  );
  for (const table of LARGE_TABLES) {
    await client.query(`ALTER TABLE ${table} SET UNLOGGED`);
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  await client.query("ANALYZE past_days, past_symbols");
}

/** Drops the indexes of the large tables, and returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ tablename: string; indexname: string; indexdef: string }>(
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE tablename = ANY($1)",
    [LARGE_TABLES],
  );
  for (const { tablename, indexname } of rows)
    await client.query(
      indexname === `${tablename}_pkey`
        ? `ALTER TABLE ${tablename} DROP CONSTRAINT ${indexname}`
        : `DROP INDEX ${indexname}`,
    );
  return rows.map(({ indexdef }) => indexdef);
}
