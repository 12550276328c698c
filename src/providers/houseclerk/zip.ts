import { unzipSync } from "fflate";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Extracts the first file of a zip archive whose name ends with `ending`.
 * @throws ProviderFailure "malformed" for an archive that is damaged, lacks the file, or declares it larger than 64 MB
 */
export function extractZipFile(zip: Uint8Array, ending: string): Uint8Array {
  let declaredSize = -1;
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (declaredSize !== -1 || !name.endsWith(ending)) return false;
        if (originalSize > MAX_BYTES) throw new Error("too large");
        declaredSize = originalSize;
        return true;
      },
    });
    const [content] = Object.values(files);
    if (content === undefined || content.length !== declaredSize) throw new Error("missing or cut off");
    return content;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an archive that cannot be read", { cause });
  }
}
