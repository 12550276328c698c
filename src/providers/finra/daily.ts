import type { Instrument } from "../../domain/market/market.ts";
import type { ShortVolume, VolumeFile, VolumeProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { assertEarlierFile, isMissingFile, MISSING_FILE_STATUSES } from "../shared/missing-file.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://cdn.finra.org";
const HEAD = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
const SYMBOL = /^[A-Za-z0-9./^=+*#-]{1,20}$/;
const FIGURE = /^\d{1,15}(\.\d{1,10})?$/;
const NONE: VolumeFile = { published: false, of: () => null };

/**
 * Creates the provider of FINRA's daily off-exchange short sale files, all facilities together: one file with all
 * symbols per day, published by 18:00 New York. A missing file gives the error of the file store, both for days without
 * trading and for days not published yet; it counts only if the file of an earlier day exists. Volumes are shares with decimals. The last line is the number of rows; a file without it is
 * treated as incomplete.
 *
 * No limit is published; two files a second are read. A file of about 11,000 rows is stored as three columns indexed by
 * a list of symbols that all files share, about 260 kB.
 * @see https://www.finra.org/finra-data/browse-catalog/short-sale-volume-data/daily-short-sale-volume-files
 */
export function finraDaily(setup: ProviderSetup): VolumeProvider {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, keyless: true });
  const indices = new Map<string, number>();

  /** Returns the text of a date's file, or only its beginning; null if there is no such file. */
  async function read(date: string, signal: AbortSignal, part = {}): Promise<string | null> {
    const path = `/equity/regsho/daily/CNMSshvol${date.replaceAll("-", "")}.txt`;
    const accept = [206, ...MISSING_FILE_STATUSES];
    const { status, body } = await client.text(path, { signal, accept, headers: part });
    if (isMissingFile(status, body)) return null;
    if (status === 403 || body.trimStart().startsWith("<"))
      throw new ProviderFailure("blocked", `refused with status ${status}`);
    if (status === 404) throw new ProviderFailure("malformed", `status ${status}`);
    return body;
  }
  const exists = async (date: string, signal: AbortSignal) =>
    (await read(date, signal, { range: `bytes=0-${HEAD.length - 1}` }))?.startsWith(HEAD) === true;

  return {
    name: "finra",
    budget: { calls: 120, perMs: 60_000, atOnce: 4 },
    async call({ date }, { signal }) {
      const file = await read(date, signal);
      if (file !== null) return fileOf(file, date.replaceAll("-", ""), indices);
      await assertEarlierFile(date, (earlier) => exists(earlier, signal));
      return NONE;
    },
  };
}

/**
 * Parses the file of a date; impossible rows are dropped. @throws ProviderFailure "malformed" for an incomplete file
 */
function fileOf(body: string, date: string, indices: Map<string, number>): VolumeFile {
  const lines = body
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r?\n/);
  const count = lines.pop();
  if (lines[0] !== HEAD || !/^\d{1,7}$/.test(count ?? "") || Number(count) !== lines.length - 1)
    throw new ProviderFailure("malformed", "an incomplete file");
  const rows: [index: number, ...figures: number[]][] = [];
  for (const line of lines.slice(1)) {
    const [day, symbol = "", ...figures] = line.split("|");
    if (day !== date) throw new ProviderFailure("malformed", "a file of another date");
    const [short, exempt, total] = figures
      .slice(0, 3)
      .map((text) => (FIGURE.test(text) ? Number(text) : Number.NaN));
    if (!SYMBOL.test(symbol) || !(exempt! >= 0 && short! >= 0 && short! <= total!)) continue;
    const index = indices.get(symbol) ?? indices.size;
    indices.set(symbol, index);
    rows.push([index, short!, exempt!, total!]);
  }
  if (rows.length === 0) throw new ProviderFailure("malformed", "a file without figures");
  const columns = new Float64Array(3 * indices.size).fill(Number.NaN);
  for (const [index, ...figures] of rows) columns.set(figures, 3 * index);
  return { published: true, of: (instrument) => at(columns, indices.get(nameOf(instrument))) };
}

/** Returns FINRA's symbol of a stock or fund: `BRK/B`. */
const nameOf = (instrument: Instrument): string => usTicker(instrument).replace(".", "/");

function at(columns: Float64Array, index: number | undefined): ShortVolume | null {
  const [short, shortExempt, total] = index === undefined ? [] : columns.subarray(3 * index, 3 * index + 3);
  if (short === undefined || Number.isNaN(short)) return null;
  return { short, shortExempt: shortExempt!, total: total! };
}
